/** Two texts in → measures, passages and explanations out, beside the page. */
import { readInMemory } from 'neardup/browser';
import type { ComparedTexts, CompareOptions, Explanation } from '../compare/types.ts';
import { compareTexts, explainTexts } from './comparing.ts';
import { serve } from './protocol.ts';

interface Given {
  readonly a: string;
  readonly b: string;
  readonly options: CompareOptions;
}

export type CompareApi = {
  compare: { args: Given; reply: ComparedTexts };
  explain: { args: Given; reply: Explanation };
  /** The text of a file; of HTML, what a reader sees. */
  read: { args: { file: File }; reply: string };
};

serve<CompareApi>({
  compare: ({ a, b, options }) => compareTexts(a, b, options),
  explain: ({ a, b, options }) => explainTexts(a, b, options),
  async read({ file }) {
    const name = /\.html?$/i.test(file.name) ? file.name : 'text.txt';
    const [items] = readInMemory(name, new Uint8Array(await file.arrayBuffer()));
    const [item] = items ?? [];
    return item && 'document' in item ? (item.document.text ?? '') : '';
  },
});
