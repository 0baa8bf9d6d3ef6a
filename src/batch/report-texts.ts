/** The inputs, read again → the texts of the few documents that a page shows, cut so that all of them fit in memory. */

import { createLoggedContent, type LoggedContent } from '../engine/analyse/logged-content.ts';
import type { DecidedFiles, RunFiles } from '../engine/engine.ts';
import { isUrl } from '../formats/find/inputs.ts';
import type { DocumentItem, ReadOptions } from '../formats/item.ts';
import type { Document, Removal } from '../model.ts';
import { readAgain, readReferenceAgain } from './read-again.ts';

/** Where the documents of a run are. */
interface TextSource {
  readonly files: Pick<RunFiles, 'inputs' | 'reference'>;
  readonly reading: ReadOptions;
  readonly signal?: AbortSignal | undefined;
}

/** A text or a set, cut, and what is known of the whole. */
export interface ShownDocument {
  readonly text?: string;
  readonly elements?: readonly string[];
  /** Characters or elements of the whole. */
  readonly length: number;
  /** As a log of decisions has it. */
  readonly content: string;
}

export type ShownDocuments = (name: string, isReference: boolean) => ShownDocument | undefined;

/** Characters that are kept of all documents together, and at most and at least of each. */
const ALL_CHARACTERS = 2 ** 25;
const MOST_CHARACTERS = 2 ** 18;
const LEAST_CHARACTERS = 2 ** 13;

/** Undefined where the files are not on this machine. */
export async function shownDocuments(
  removals: Iterable<Removal>,
  decided: DecidedFiles,
  source: TextSource,
): Promise<ShownDocuments | undefined> {
  const { inputs, reference } = source.files;
  // On Spark the engine knows only the documents that go and those they go for: the inputs cannot be checked against it.
  if (decided.writeDocuments || [...inputs, ...reference].some(({ path }) => isUrl(path))) return undefined;
  const wanted = { inputs: new Set<string>(), reference: new Set<string>() };
  for (const { id, keptId, reference: isReference } of removals) {
    wanted.inputs.add(id);
    wanted[isReference ? 'reference' : 'inputs'].add(keptId);
  }
  const most = charactersEach(wanted.inputs.size + wanted.reference.size);
  const contentOf = await createLoggedContent(decided.options.seed);
  const request = { inputs, reading: source.reading, decided, signal: source.signal };
  const found = {
    inputs: await pick(wanted.inputs, readAgain(request), decided, most, contentOf),
    reference: await pick(
      wanted.reference,
      readReferenceAgain({ ...request, inputs: reference }),
      decided,
      most,
      contentOf,
    ),
  };
  return (name, isReference) => found[isReference ? 'reference' : 'inputs'].get(name);
}

/** For documents that are in memory already. */
export async function documentsInMemory(documents: Iterable<Document>): Promise<ShownDocuments> {
  const contentOf = await createLoggedContent(1);
  const byId = new Map(Array.from(documents, document => [document.id, document]));
  return name => {
    const document = byId.get(name);
    return document && cut(document, MOST_CHARACTERS, contentOf);
  };
}

function charactersEach(documents: number): number {
  return Math.max(LEAST_CHARACTERS, Math.min(MOST_CHARACTERS, Math.floor(ALL_CHARACTERS / Math.max(1, documents))));
}

/** Stops reading as soon as the last one is found. */
async function pick(
  wanted: ReadonlySet<string>,
  items: AsyncIterable<{ readonly item: DocumentItem; readonly number: number }>,
  { idOf }: DecidedFiles,
  most: number,
  contentOf: LoggedContent,
): Promise<Map<string, ShownDocument>> {
  const found = new Map<string, ShownDocument>();
  if (wanted.size === 0) return found;
  for await (const { item, number } of items) {
    const name = idOf(number);
    if (!wanted.has(name)) continue;
    found.set(name, cut(item.document, most, contentOf));
    if (found.size === wanted.size) break;
  }
  return found;
}

function cut(document: Document, most: number, contentOf: LoggedContent): ShownDocument {
  const { text, set = [] } = document;
  const content = contentOf(document);
  if (text !== undefined) return { text: ownCopy(text, most), length: text.length, content };
  const elements: string[] = [];
  let characters = 0;
  for (const element of new Set(set.map(String))) {
    if (characters > most) break;
    elements.push(ownCopy(element, most));
    characters += elements.at(-1)!.length + 8;
  }
  return { elements, length: set.length, content };
}

/** A slice of a string keeps the whole of it in memory: the copy does not. */
function ownCopy(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}
