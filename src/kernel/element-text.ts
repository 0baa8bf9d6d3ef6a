/** An element of a plain set → the string it counts as: a number is its decimal string, with all its digits. */
export function elementText(element: string | number): string {
  if (typeof element === 'string' || !Number.isInteger(element) || Number.isSafeInteger(element))
    return String(element);
  return BigInt(element).toString();
}
