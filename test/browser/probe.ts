/** Texts → everything the core tells of them, as plain strings. Runs in Node, in a page, and in workers of both. */
import type { createSketcher, decodeSketch, encodeSketch, htmlToText } from '../../src/browser.ts';

/** What the probe uses of `neardup/browser`, so that it can be handed the sources or the build. */
export interface Core {
  readonly createSketcher: typeof createSketcher;
  readonly encodeSketch: typeof encodeSketch;
  readonly decodeSketch: typeof decodeSketch;
  readonly htmlToText: typeof htmlToText;
}

const sketches = ['minhash:128', 'oph:64', 'bottom:50', 'mod:16', 'super', 'simhash'] as const;
const settings = [
  { shingle: 'word:5' },
  { shingle: 'char:4', normalise: 'keep-case', seed: 7 },
  { shingle: 'word:2', normalise: 'nfkc,strip-accents,stopwords:en,stem:en', seed: Number.MAX_SAFE_INTEGER },
] as const;

export async function probe(core: Core, texts: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const setting of settings) {
    for (const sketch of sketches) {
      const sketcher = await core.createSketcher({ ...setting, sketch });
      for (const text of texts) {
        const { words, contentHash } = sketcher.kernel.read(text);
        const bytes = core.encodeSketch(sketcher.sketch(text));
        const again = core.encodeSketch(core.decodeSketch(bytes));
        lines.push(
          [words, contentHash.toString(16), hex(sketcher.set(text)), hex(bytes), hex(again)].join(' '),
          sketcher.normalise(core.htmlToText(`<p>${text}</p><script>no()</script>`)),
        );
      }
    }
  }
  return lines;
}

function hex(values: Uint8Array | BigUint64Array): string {
  const digits = values.BYTES_PER_ELEMENT * 2;
  return Array.from<number | bigint, string>(values, value => value.toString(16).padStart(digits, '0')).join('');
}
