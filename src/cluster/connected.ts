/** Components of linked items → what is kept: of each, the item that comes first in keep order. */
import { kept } from './keeping.ts';

export function keepFirstOfEach(
  count: number,
  order: ArrayLike<number>,
  componentOf: (item: number) => number,
): Int32Array {
  const keptBy = new Int32Array(count).fill(kept);
  const firstOf = new Int32Array(count).fill(-1);
  for (let turn = 0; turn < order.length; turn++) {
    const item = order[turn]!;
    const component = componentOf(item);
    if (firstOf[component]! < 0) firstOf[component] = item;
    else keptBy[item] = firstOf[component]!;
  }
  return keptBy;
}
