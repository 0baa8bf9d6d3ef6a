/** The inputs, read again, or what the engine has of them → the texts of the few documents that a page shows, cut so that all of them fit in memory. */

import { createLoggedContent, type LoggedContent } from '../engine/analyse/logged-content.ts';
import type { DecidedFiles, RunFiles } from '../engine/engine.ts';
import type { ReadOptions } from '../formats/item.ts';
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

export async function shownDocuments(
  removals: Iterable<Removal>,
  decided: DecidedFiles,
  source: TextSource,
): Promise<ShownDocuments> {
  const wanted = { inputs: new Set<string>(), reference: new Set<string>() };
  for (const { id, keptId, reference: isReference } of removals) {
    wanted.inputs.add(id);
    wanted[isReference ? 'reference' : 'inputs'].add(keptId);
  }
  const most = charactersEach(wanted.inputs.size + wanted.reference.size);
  const contentOf = await createLoggedContent(decided.options.seed);
  const found = { inputs: new Map<string, ShownDocument>(), reference: new Map<string, ShownDocument>() };
  for (const list of ['inputs', 'reference'] as const)
    for await (const { name, document } of documentsOf(list, wanted[list], decided, source))
      found[list].set(name, cut(document, most, contentOf));
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

interface Named {
  readonly name: string;
  readonly document: Document;
}

/** Stops reading as soon as the last one is found. */
async function* documentsOf(
  list: 'inputs' | 'reference',
  wanted: ReadonlySet<string>,
  decided: DecidedFiles,
  { files, reading, signal }: TextSource,
): AsyncGenerator<Named> {
  if (wanted.size === 0) return;
  if (decided.readDocuments) {
    for await (const document of decided.readDocuments(wanted, list === 'reference'))
      yield { name: document.id, document };
    return;
  }
  const request = { inputs: files[list], reading, decided, signal };
  const items = list === 'inputs' ? readAgain(request) : readReferenceAgain(request);
  let left = wanted.size;
  for await (const { item, number } of items) {
    const name = decided.idOf(number);
    if (!wanted.has(name)) continue;
    yield { name, document: item.document };
    if (--left === 0) return;
  }
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
