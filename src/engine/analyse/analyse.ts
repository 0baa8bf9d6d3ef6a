/** A document → what is known of it: its content hash, its candidate keys, its sketch, and its set of shingles when asked. Every engine and the index go this way. */
import type { Document } from '../../model.ts';
import { isEmpty, type Sketch } from '../../sketch/sketch.ts';
import type { RunOptions } from '../run-options.ts';
import { originOf, type Sketcher } from '../sketcher.ts';
import { type CandidateKeys, createCandidateKeys, noKeys, shortKeys } from './candidate-keys.ts';
import { contentOf } from './content.ts';
import type { ShortTexts } from './short-texts.ts';

/** A text in UTF-8, or what holds a text or a set. */
export type Body = Uint8Array | Pick<Document, 'text' | 'set'>;

interface Analysis extends CandidateKeys {
  /** Equal for equal texts, byte for byte, and for equal sets. */
  readonly content: bigint;
  readonly sketch: Sketch;
  /** Made when it is first asked for. */
  set(): BigUint64Array;
}

export interface Analyser {
  analyse(body: Body): Analysis;
  setOf(body: Body): BigUint64Array;
}

interface Read {
  readonly content: bigint;
  readonly sketch: Sketch;
  /** The distinct shingles of a short text. */
  readonly few?: BigUint64Array | undefined;
}

/** `short`: how short texts are found, if in a way of their own. */
export function createAnalyser(options: RunOptions, sketcher: Sketcher, short: ShortTexts | undefined): Analyser {
  const { kernel } = sketcher;
  const keysOf = createCandidateKeys(options, kernel);
  // The kernel takes the text as it is, and makes hash and sketch in one pass.
  const takesText = options.normalise.every(step => step === 'keep-case');
  const isQuick = takesText && options.sketch.kind === 'minhash';
  const { size } = options.sketch;
  const origin = originOf(options);

  const textOf = (body: Body) => (body instanceof Uint8Array ? body : body.text);
  const setOf = (body: Body) => {
    const text = textOf(body);
    return takesText && text !== undefined ? kernel.shingleSet(text) : sketcher.set(asDocument(body));
  };
  const read = (body: Body): Read => {
    const text = textOf(body);
    if (isQuick && text !== undefined) {
      const { contentHash: content, minhash: values, few } = kernel.readMinhash(text, short?.below);
      return { content, sketch: { ...origin, kind: 'minhash', size, bits: 32, values }, few };
    }
    const content =
      text === undefined ? contentOf(body as Pick<Document, 'set'>, kernel) : kernel.read(text).contentHash;
    return { content, sketch: sketcher.sketch(asDocument(body)) };
  };
  return {
    setOf,
    analyse(body) {
      let made: BigUint64Array | undefined;
      const set = () => {
        made ??= setOf(body);
        return made;
      };
      const { content, sketch, few } = read(body);
      const known = () => (isEmpty(sketch) ? noKeys : keysOf(sketch, set));
      const { keys, elements } = few && short ? shortKeys(few, short, known) : known();
      return { content, sketch, keys, elements, set };
    },
  };
}

const UTF_8 = new TextDecoder();

function asDocument(body: Body): Pick<Document, 'text' | 'set'> {
  return body instanceof Uint8Array ? { text: UTF_8.decode(body) } : body;
}
