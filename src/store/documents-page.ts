/** Entries in the order they were added, or the other way → pages of verdicts; a cursor is the number of the next entry, which stays whatever is added or removed. */
import { setImmediate } from 'node:timers/promises';
import { fail } from '../errors.ts';
import { parseInteger } from '../options.ts';
import type { Store } from './contract.ts';
import { Entry, type Status, type Verdict } from './record.ts';

export interface DocumentQuery {
  /** Documents at most: 100 unless given. */
  readonly limit?: number;
  /** The `next` of a page before. */
  readonly cursor?: string;
  readonly status?: Status;
  /** `desc`: the last that came in first. `asc` unless given. */
  readonly order?: 'asc' | 'desc';
}

export interface ListedDocument extends Verdict {
  /** Whether its text is stored, too. */
  readonly stored: boolean;
}

export interface DocumentPage {
  readonly documents: readonly ListedDocument[];
  /** The cursor of the next page. Where a status is wanted that few have, a page may have fewer than `limit` and still a next one. */
  readonly next?: string;
}

export const PAGE = 100;
export const LARGEST_PAGE = 1000;
/** Others have their turn after so many. */
const READ_IN_A_TURN = 64;
/** Entries looked at for one page, at most. */
const LOOKED_AT = 20_000;
export const documentOrders = ['asc', 'desc'] as const;
export const statuses: readonly Status[] = ['new', 'exact', 'near', 'contained'];

export async function documentPage(
  store: Pick<Store, 'entries' | 'read' | 'state'>,
  query: DocumentQuery,
): Promise<DocumentPage> {
  const { limit = PAGE, cursor, status, order = 'asc' } = query;
  parseInteger(limit, 'limit', 1, LARGEST_PAGE);
  if (status !== undefined && !statuses.includes(status))
    fail('BAD_OPTION', { option: 'status', expected: 'new, exact, near or contained', got: status });
  if (!documentOrders.includes(order)) fail('BAD_OPTION', { option: 'order', expected: 'asc or desc', got: order });
  const from = cursor === undefined ? undefined : parseInteger(cursor, 'cursor', 0, 2 ** 32);
  const documents: ListedDocument[] = [];
  let looked = 0;
  for await (const { number, bytes } of order === 'asc' ? store.entries(from) : backwards(store, from)) {
    if (documents.length === limit || looked === LOOKED_AT) return { documents, next: String(number) };
    if (++looked % READ_IN_A_TURN === 0) await setImmediate();
    const entry = Entry.checked(number, bytes);
    if (entry.isCommons || (status !== undefined && entry.status !== status)) continue;
    documents.push({ ...entry.verdict, stored: entry.isStored });
  }
  return { documents };
}

/** From a number down. */
async function* backwards(store: Pick<Store, 'read' | 'state'>, from: number | undefined) {
  const { next } = await store.state();
  for (let last = Math.min(from ?? next, next - 1); last >= 0; last -= READ_IN_A_TURN) {
    const numbers = Array.from({ length: Math.min(READ_IN_A_TURN, last + 1) }, (_, at) => last - at);
    for (const [at, bytes] of (await store.read(numbers)).entries()) if (bytes) yield { number: numbers[at]!, bytes };
    // Where many were removed in a row.
    await setImmediate();
  }
}
