/** Keep order and pairs of which people said who stays → an order in which those come first. */

/** `order`: those of the reference set first, which stay there: nobody is kept before them. `preferred`: two entries a pair, who stays and who goes. */
export function preferredFirst(order: Uint32Array, preferred: Uint32Array, protectedCount: number): Uint32Array {
  if (preferred.length === 0) return order;
  const betterThan = new Map<number, number[]>();
  const isPreferred = new Set<number>();
  for (let at = 0; at < preferred.length; at += 2) {
    const [winner, other] = [preferred[at]!, preferred[at + 1]!];
    if (winner < protectedCount || other < protectedCount) continue;
    isPreferred.add(winner);
    const better = betterThan.get(other);
    if (better) better.push(winner);
    else betterThan.set(other, [winner]);
  }
  const turnOf = new Map<number, number>();
  for (const [turn, item] of order.entries()) if (isPreferred.has(item)) turnOf.set(item, turn);
  const inTurn = (a: number, b: number) => turnOf.get(a)! - turnOf.get(b)!;
  for (const better of betterThan.values()) better.sort(inTurn);
  const first = afterBetter([...isPreferred].sort(inTurn), item => betterThan.get(item) ?? []);
  const rest = order.filter(item => !isPreferred.has(item));
  const changed = new Uint32Array(order.length);
  changed.set(rest.subarray(0, protectedCount));
  changed.set(first, protectedCount);
  changed.set(rest.subarray(protectedCount), protectedCount + first.length);
  return changed;
}

/** Each item after those that are better than it. Where decisions go round in a circle, one of them gives way, always the same. */
function afterBetter(items: readonly number[], betterThan: (item: number) => readonly number[]): number[] {
  const seen = new Set<number>();
  const placed: number[] = [];
  // A stack of our own: decisions may form a chain of any length.
  const open: { readonly item: number; readonly left: Iterator<number> }[] = [];
  const enter = (item: number) => {
    if (seen.has(item)) return;
    seen.add(item);
    open.push({ item, left: betterThan(item).values() });
  };
  for (const start of items) {
    enter(start);
    while (open.length > 0) {
      const { item, left } = open.at(-1)!;
      const { done, value: better } = left.next();
      if (!done) enter(better);
      else {
        placed.push(item);
        open.pop();
      }
    }
  }
  return placed;
}
