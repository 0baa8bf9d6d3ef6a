/** Values → numbers from 0, equal for equal values, in order of first appearance. */
export function numberIn<Value>(numbers: Map<Value, number>, value: Value): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  numbers.set(value, numbers.size);
  return numbers.size - 1;
}
