/** A document, or an entry → all that deciding on it takes: content hash, keys, and the set of shingles when asked. */
import { type Body, createAnalyser } from '../engine/analyse/analyse.ts';
import { containmentModulus, mostMissing } from '../engine/analyse/candidate-keys.ts';
import { elementsOf } from '../engine/analyse/elements.ts';
import { halvesOf, joinKeys } from '../engine/analyse/key-arrays.ts';
import type { Sketcher } from '../engine/sketcher.ts';
import { fail } from '../errors.ts';
import type { Document } from '../model.ts';
import { COMMONS_KEY } from './crowds/common-elements.ts';
import { containingKeys } from './crowds/containing-keys.ts';
import { postedKeys } from './crowds/prefix-keys.ts';
import type { IndexOptions } from './index-options.ts';
import { markKind } from './keys.ts';
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
  /** Of the keys those before it that candidates share: nearly everyone who has one is alike. */
  readonly bands: BigUint64Array;
  /** How many of its elements a document may lack that contains enough of this one. */
  mostMissing(threshold: number): number;
  set(): BigUint64Array;
}

/** What of a prepared document goes from thread to thread; its set is made. */
export type PreparedParts = Omit<Prepared, 'halves' | 'bands' | 'mostMissing' | 'set'> & {
  readonly set: BigUint64Array;
};

/** Places in the keys. */
export const ID_KEY = 0;
export const CONTENT_KEY = 1;
export const FIRST_CANDIDATE_KEY = 2;

export interface Preparer {
  /** `json`: the text it was read from, if its numbers are to be stored as they are written there. */
  prepare(document: unknown, json?: string): Prepared;
  partsOf(prepared: Prepared): PreparedParts;
  revive(parts: PreparedParts): Prepared;
  idKey(id: string): BigUint64Array;
  /** The keys an entry was stored under. */
  keysOf(entry: Entry): BigUint64Array;
  setOf(entry: Entry): BigUint64Array;
  /** The same of what is in no entry. */
  setOfContent(content: Pick<Document, 'text' | 'set'>): BigUint64Array;
  /** Whether the entry would have a key of the document's, of those that few share, if it were stored under its own. */
  sharesKey(prepared: Prepared, entry: Entry): boolean;
  /** Elements two sets share. */
  shared(a: BigUint64Array, b: BigUint64Array): number;
}

export function createPreparer(sketcher: Sketcher, options: IndexOptions): Preparer {
  const { kernel } = sketcher;
  const { analyse: analyseBody, setOf } = createAnalyser(options, sketcher, undefined);
  // Parts of a SimHash may differ in the bits of the kind only, and an entry stands under a key once.
  const mayRepeat = options.sketch.kind === 'simhash';

  const idHash = (id: string) => BigInt.asUintN(64, kernel.read(id).contentHash);
  const idKey = (id: string) => {
    const key = BigUint64Array.of(idHash(id));
    markKind(halvesOf(key), 0, 1, 'id');
    return key;
  };

  /** All in one array: there is little to do for a document, and arrays take most of it. */
  const analyse = (id: string, body: Body) => {
    const { content, keys, elements, set } = analyseBody(body);
    return { ...keysWith(id, content, mayRepeat ? distinct(keys) : keys, elements), set };
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
    return { content, keys, halves, firstElement, bands: keys.subarray(FIRST_CANDIDATE_KEY, firstElement) };
  };

  // Elements of other kinds of sketches are too few to count on.
  const isSample = options.measure === 'containment' && options.resolvedLsh !== undefined;
  const modulus = containmentModulus(options.threshold, options.recall);
  const mostOf = (set: () => BigUint64Array, threshold: number) =>
    isSample ? Math.floor(mostMissing(set().length, modulus, threshold, options.recall)) : Number.POSITIVE_INFINITY;

  /** What a document of a crowd is found by. */
  const crowdKeys = ({ id, content, commonBits }: Entry, body: Body) => {
    if (options.measure !== 'containment')
      return keysWith(id, content, postedKeys(setOf(body), commonBits!, options.threshold), none).keys;
    const { keys, bands, firstElement, set } = analyse(id, body);
    const posted = containingKeys(set(), commonBits!, bands);
    return joinKeys([keys.subarray(0, FIRST_CANDIDATE_KEY), ...posted, keys.subarray(firstElement)]);
  };

  return {
    prepare(given, json) {
      const document = checkedDocument(given);
      const { id } = document;
      const utf8 = typeof document.text === 'string' ? Buffer.from(document.text) : undefined;
      const encoded = encodedDocument(document, utf8, json);
      const known = analyse(id, utf8 ?? document);
      const mostMissing = (threshold: number) => mostOf(known.set, threshold);
      return { id, encoded, isSet: utf8 === undefined, ...known, mostMissing };
    },
    partsOf: ({ id, encoded, isSet, content, keys, firstElement, set }) => ({
      ...{ id, encoded, isSet, content, keys, firstElement },
      set: set(),
    }),
    revive(parts) {
      const { keys, firstElement } = parts;
      const set = () => parts.set;
      const bands = keys.subarray(FIRST_CANDIDATE_KEY, firstElement);
      return { ...parts, halves: halvesOf(keys), bands, set, mostMissing: threshold => mostOf(set, threshold) };
    },
    idKey,
    keysOf(entry) {
      const { id, body } = entry;
      if (entry.isCommons) return COMMONS_KEY;
      if (body === undefined) return idKey(id);
      return entry.commonBits ? crowdKeys(entry, body) : analyse(id, body).keys;
    },
    setOf: entry => setOf(entry.body!),
    setOfContent: content => setOf(content),
    sharesKey(prepared, entry) {
      const own = new Set(prepared.bands);
      return analyse('', entry.body!).bands.some(key => own.has(key));
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
    return fail('BAD_DOCUMENT', {
      reason: 'its id is neither a number nor a string of one character or more',
      field: 'id',
    });
  const refuseId = (reason: string, place: { id?: string } = {}) =>
    fail('BAD_DOCUMENT', { ...place, reason, field: 'id' });
  if (Buffer.byteLength(id) > MAX_ID) refuseId(`its id is longer than ${MAX_ID} bytes`);
  if (/\p{Surrogate}/u.test(id)) refuseId('its id has half a surrogate pair in it', { id });
  const elements = typeof text === 'string' ? undefined : elementsOf(set);
  if (typeof text !== 'string' && !elements)
    fail('BAD_DOCUMENT', { id, reason: 'it has neither a text (a string) nor a set (a list of strings or numbers)' });
  if (elements === undefined || elements === set) return id === givenId ? (given as Document) : { ...given, id };
  return { ...given, id, set: elements };
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
