/** What a run in the browser is asked, and what it gives, as it travels between worker and page. */
import type { GivenDedupOptions } from 'neardup/browser';
import type { ComparedTexts } from '../compare/types.ts';

export interface TryOptions {
  readonly threshold: number;
  readonly shingle: NonNullable<GivenDedupOptions['shingle']>;
  readonly measure: NonNullable<GivenDedupOptions['measure']>;
  readonly keep: NonNullable<GivenDedupOptions['keep']>;
  readonly textField: string;
  readonly idField: string;
}

export type Relation = 'exact' | 'near' | 'contained';

/** A document that goes, and how like the kept one it is. */
export interface Member {
  /** Its number among the documents. */
  readonly item: number;
  readonly id: string;
  readonly relation: Relation;
  readonly resemblance: number;
  /** Of this document in the kept one. */
  readonly containment: number;
}

export interface Group {
  readonly item: number;
  readonly id: string;
  readonly excerpt: string;
  readonly members: readonly Member[];
  readonly least: number;
}

export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface RunResult {
  readonly documents: number;
  readonly files: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly repeatedIds: number;
  /** The first of them. */
  readonly rejects: readonly Problem[];
  readonly rejected: number;
  readonly damages: readonly Problem[];
  /** Files whose ending tells no format that can be read here. */
  readonly unknownFiles: readonly string[];
  readonly groups: readonly Group[];
  /** The first documents were looked at, the others are still to come. */
  readonly isPartial: boolean;
}

export type RunEvent =
  | { readonly kind: 'reading'; readonly bytes: number; readonly of: number; readonly documents: number }
  | { readonly kind: 'finding'; readonly documents: number }
  | { readonly kind: 'first'; readonly result: RunResult };

export interface Output {
  readonly blob: Blob;
  readonly name: string;
}

export type TryApi = {
  run: { args: { files: readonly File[]; options: TryOptions }; reply: RunResult; event: RunEvent };
  /** Two documents of the run. */
  compare: {
    args: { a: number; b: number };
    reply: { a: string; b: string; compared: ComparedTexts };
  };
  /** What stays: all but the items that are named. */
  kept: { args: { removed: readonly number[] }; reply: Output };
};
