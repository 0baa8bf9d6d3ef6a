/** The elements of a plain set, as a caller gives them → a list of them. */
import type { Elements } from '../../model.ts';

/** Undefined when it is no set of strings and numbers. A list is given back as it is; what can be gone through once is, here. */
export function elementsOf(given: unknown): readonly (string | number)[] | undefined {
  const list: readonly unknown[] | undefined = Array.isArray(given)
    ? given
    : isIterable(given)
      ? [...given]
      : undefined;
  return list?.every(isElement) ? (list as readonly (string | number)[]) : undefined;
}

/** The same document with its set as a list; whatever else it is, it stays as it is. */
export function withList<Given extends { readonly text?: unknown; readonly set?: unknown }>(
  given: Given,
): Omit<Given, 'set'> & { readonly set?: readonly (string | number)[] } {
  const { text, set } = given;
  const isListed = typeof text === 'string' || Array.isArray(set) || !isIterable(set);
  return (isListed ? given : { ...given, set: elementsOf(set) ?? set }) as never;
}

function isIterable(given: unknown): given is Elements {
  return typeof given === 'object' && given !== null && Symbol.iterator in given;
}

function isElement(element: unknown): element is string | number {
  return typeof element === 'string' || typeof element === 'number';
}
