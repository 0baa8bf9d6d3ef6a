/** The pairs of each share, sorted → all pairs, sorted by the first, then by the second document. */
import type { Pair } from '../../../model.ts';
import { pairOf } from '../../decide/decisions.ts';
import type { Verdicts } from '../../decide/verdicts.ts';
import type { RunOptions } from '../../run-options.ts';
import { readColumn } from '../storage/stage-file.ts';
import type { LinkedDocuments } from './link-documents.ts';
import type { PairsFile } from './pair-share.ts';

/** Pairs of a share that are in memory at a time. */
const BLOCK = 1 << 16;

export function mergedPairs(
  files: readonly PairsFile[],
  openNames: LinkedDocuments['openNames'],
  options: RunOptions,
  decided: Verdicts | undefined,
): Iterable<Pair> {
  return {
    *[Symbol.iterator]() {
      const [firstId, secondId] = [openNames('ascending'), openNames('any')];
      const cursors = files.map(openCursor).filter(cursor => cursor.isOpen());
      while (cursors.length > 0) {
        // A component is in one share only, so no two cursors stand at the same document.
        const next = cursors.reduce((least, cursor) => (cursor.a() < least.a() ? cursor : least));
        const pair = next.take();
        yield pairOf(item => (item === pair.a ? firstId(item) : secondId(item)), options, pair, decided);
        if (!next.isOpen()) cursors.splice(cursors.indexOf(next), 1);
      }
    },
  };
}

function openCursor(file: PairsFile) {
  const { pairs } = file.facts;
  let start = 0;
  let block = load(file, 0);
  let at = 0;
  return {
    isOpen: () => start + at < pairs,
    a: () => block.a[at]!,
    take() {
      const pair = {
        a: block.a[at]!,
        b: block.b[at]!,
        resemblance: block.resemblance[at]!,
        containmentAB: block.containmentAB[at]!,
        containmentBA: block.containmentBA[at]!,
        similarity: block.similarity[at]!,
      };
      at++;
      if (at === BLOCK && start + at < pairs) {
        start += at;
        at = 0;
        block = load(file, start);
      }
      return pair;
    },
  };
}

function load(file: PairsFile, from: number) {
  const count = Math.min(BLOCK, file.facts.pairs - from);
  const numbers = (name: string) => readColumn(file, name, Float64Array, from, count);
  return {
    a: readColumn(file, 'a', Uint32Array, from, count),
    b: readColumn(file, 'b', Uint32Array, from, count),
    resemblance: numbers('resemblance'),
    containmentAB: numbers('containmentAB'),
    containmentBA: numbers('containmentBA'),
    similarity: numbers('similarity'),
  };
}
