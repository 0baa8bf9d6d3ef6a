/** A document, or an entry → all that deciding on it takes: content hash, keys, and the set of shingles when asked. */
import { containmentModulus, createCandidateKeys, mostMissing, noKeys } from '../engine/candidate-keys.ts';
import { contentOf } from '../engine/content.ts';
import { halvesOf } from '../engine/key-arrays.ts';
import type { Sketcher } from '../engine/sketcher.ts';
import { fail } from '../errors.ts';
import type { Document } from '../model.ts';
import { isEmpty, type Sketch } from '../sketch/sketch.ts';
import { COMMONS_KEY } from './common-elements.ts';
import type { IndexOptions } from './index-options.ts';
import { markKind } from './keys.ts';
import { postedKeys } from './prefix-keys.ts';
import { type EncodedDocument, type Entry, encodeDocument } from './record.ts';

export interface Prepared {
  readonly id: string;
  /** As it is stored, if it will be. */
  readonly encoded: EncodedDocument;
  readonly isSet: boolean;
  readonly content: bigint;
  /** id, content, then what candidates share. */
  readonly keys: BigUint64Array;
  /** The same. */
  readonly halves: Uint32Array;
  /** The place of the first that many may share (see candidate-keys.ts). */
  readonly firstElement: number;
  /** How many of its elements a document may lack that contains enough of this one. */
  mostMissing(threshold: number): number;
  set(): BigUint64Array;
}

/** Places in the keys. */
export const ID_KEY = 0;
export const CONTENT_KEY = 1;
export const FIRST_CANDIDATE_KEY = 2;

export interface Preparer {
  /** `json`: the text it was read from, if its numbers are to be stored as they are written there. */
  prepare(document: unknown, json?: string): Prepared;
  idKey(id: string): BigUint64Array;
  /** The keys an entry was stored under. */
  keysOf(entry: Entry): BigUint64Array;
  setOf(entry: Entry): BigUint64Array;
  /** Whether the entry would have a key of the document's, of those that few share, if it were stored under its own. */
  sharesKey(prepared: Prepared, entry: Entry): boolean;
  /** Elements two sets share. */
  shared(a: BigUint64Array, b: BigUint64Array): number;
}

/** A text in UTF-8, or what holds a set, or a text that has no UTF-8. */
type Body = Uint8Array | Pick<Document, 'text' | 'set'>;

export function createPreparer(sketcher: Sketcher, options: IndexOptions): Preparer {
  const { kernel } = sketcher;
  const candidateKeys = createCandidateKeys(options, kernel);
  // The kernel takes the text as it is, and does hash and sketch in one pass.
  const takesBytes = options.normalise.every(step => step === 'keep-case');
  const isQuick = takesBytes && options.sketch.kind === 'minhash';
  const { size } = options.sketch;
  // Parts of a SimHash may differ in the bits of the kind only, and an entry stands under a key once.
  const mayRepeat = options.sketch.kind === 'simhash';

  const textOf = (utf8: Uint8Array) => Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).toString();
  const asSketchable = (body: Body) => (body instanceof Uint8Array ? textOf(body) : body);
  const setOf = (body: Body) =>
    body instanceof Uint8Array && takesBytes ? kernel.shingleSet(body) : sketcher.set(asSketchable(body));

  const contentAndSketch = (body: Body): { content: bigint; sketch: Sketch } => {
    if (body instanceof Uint8Array && isQuick) {
      const { contentHash: content, minhash: values } = kernel.readMinhash(body);
      const sketch = {
        kind: 'minhash',
        size,
        bits: 32,
        values,
        shingle: '',
        normalise: '',
        seed: options.seed,
      } as const;
      return { content, sketch };
    }
    const sketch = sketcher.sketch(asSketchable(body));
    if (body instanceof Uint8Array) return { content: kernel.read(body).contentHash, sketch };
    return { content: contentOf(body, kernel), sketch };
  };

  const idHash = (id: string) => BigInt.asUintN(64, kernel.read(id).contentHash);
  const idKey = (id: string) => {
    const key = BigUint64Array.of(idHash(id));
    markKind(halvesOf(key), 0, 1, 'id');
    return key;
  };

  /** All in one array: there is little to do for a document, and arrays take most of it. */
  const analyse = (id: string, body: Body, set: () => BigUint64Array) => {
    const { content, sketch } = contentAndSketch(body);
    const { keys, elements } = isEmpty(sketch) ? noKeys : candidateKeys(sketch, set);
    return keysWith(id, content, mayRepeat ? distinct(keys) : keys, elements);
  };
  const keysWith = (id: string, content: bigint, bands: BigUint64Array, elements: BigUint64Array) => {
    const firstElement = FIRST_CANDIDATE_KEY + bands.length;
    const keys = new BigUint64Array(firstElement + elements.length);
    keys[ID_KEY] = idHash(id);
    keys[CONTENT_KEY] = BigInt.asUintN(64, content);
    keys.set(bands, FIRST_CANDIDATE_KEY);
    keys.set(elements, firstElement);
    const halves = halvesOf(keys);
    markKind(halves, ID_KEY, CONTENT_KEY, 'id');
    markKind(halves, CONTENT_KEY, FIRST_CANDIDATE_KEY, 'content');
    markKind(halves, FIRST_CANDIDATE_KEY, firstElement, 'band');
    markKind(halves, firstElement, keys.length, 'element');
    return { content, keys, halves, firstElement };
  };

  // Elements of other kinds of sketches are too few to count on.
  const isSample = options.measure === 'containment' && options.resolvedLsh !== undefined;
  const modulus = containmentModulus(options.threshold, options.recall);
  const mostOf = (set: () => BigUint64Array, threshold: number) =>
    isSample ? Math.floor(mostMissing(set().length, modulus, threshold, options.recall)) : Number.POSITIVE_INFINITY;

  /** What a document of a crowd is found by. */
  const crowdKeys = ({ id, content, commonBits }: Entry, body: Body) => {
    const posted = postedKeys(setOf(body), commonBits!, options.threshold);
    return keysWith(id, content, posted, none).keys;
  };

  return {
    prepare(given, json) {
      const document = checkedDocument(given);
      const { id } = document;
      const utf8 = typeof document.text === 'string' ? Buffer.from(document.text) : undefined;
      const body = utf8 ?? document;
      let known: BigUint64Array | undefined;
      const set = () => {
        known ??= setOf(body);
        return known;
      };
      const encoded = encodedDocument(document, utf8, json);
      const mostMissing = (threshold: number) => mostOf(set, threshold);
      return { id, encoded, isSet: utf8 === undefined, ...analyse(id, body, set), set, mostMissing };
    },
    idKey,
    keysOf(entry) {
      const { id, body } = entry;
      if (entry.isCommons) return COMMONS_KEY;
      if (body === undefined) return idKey(id);
      return entry.commonBits ? crowdKeys(entry, body) : analyse(id, body, () => setOf(body)).keys;
    },
    setOf: entry => setOf(entry.body!),
    sharesKey(prepared, entry) {
      const body = entry.body!;
      const { keys, firstElement } = analyse('', body, () => setOf(body));
      const own = new Set(prepared.keys.subarray(FIRST_CANDIDATE_KEY, prepared.firstElement));
      return keys.subarray(FIRST_CANDIDATE_KEY, firstElement).some(key => own.has(key));
    },
    shared: (a, b) => kernel.intersectionSize(a, b),
  };
}

function checkedDocument(given: unknown): Document {
  if (typeof given !== 'object' || given === null)
    return fail('BAD_DOCUMENT', { reason: 'a document is an object { id, text } or { id, set }' });
  const { id: givenId, text, set } = given as Document;
  const id = Number.isFinite(givenId) ? String(givenId) : givenId;
  if (typeof id !== 'string' || id === '')
    return fail('BAD_DOCUMENT', { reason: 'its id is neither a number nor a string of one character or more' });
  if (Buffer.byteLength(id) > MAX_ID) fail('BAD_DOCUMENT', { reason: `its id is longer than ${MAX_ID} bytes` });
  if (/\p{Surrogate}/u.test(id)) fail('BAD_DOCUMENT', { id, reason: 'its id has half a surrogate pair in it' });
  if (typeof text !== 'string' && !isElements(set))
    fail('BAD_DOCUMENT', { id, reason: 'it has neither a text (a string) nor a set (a list of strings or numbers)' });
  return id === givenId ? (given as Document) : { ...given, id };
}

/** Other fields are stored as JSON. What cannot be is refused before anything else of its batch is decided. */
function encodedDocument(document: Document, utf8: Uint8Array | undefined, json?: string): EncodedDocument {
  try {
    return encodeDocument(document, utf8, json);
  } catch (error) {
    const { id } = document;
    return fail(
      'BAD_DOCUMENT',
      { id, reason: `its fields cannot be written as JSON (${(error as Error).message})` },
      error,
    );
  }
}

const MAX_ID = 65_536;
const none = new BigUint64Array(0);

/** But for the bits of the kind. */
function distinct(keys: BigUint64Array): BigUint64Array {
  return BigUint64Array.from(new Set(keys.map(key => key | 3n)));
}

function isElements(value: unknown): boolean {
  return Array.isArray(value) && value.every(element => typeof element === 'string' || typeof element === 'number');
}
