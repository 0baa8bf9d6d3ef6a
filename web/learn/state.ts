/** The example that goes through all figures: chosen in the address, or the visitor's own text, which is not. */
import { signal } from '@preact/signals';
import { createPermutation, createSketcher, type Sketcher, shinglesOf } from 'neardup/browser';
import { useEffect } from 'preact/hooks';
import { route, setParams } from '../route.ts';
import { type Example, examples } from './examples.ts';

export const own = signal({ a: '', b: '' });

/** Characters of an own text: figures are for a paragraph. */
export const MOST_CHARACTERS = 2000;

export interface Chosen extends Example {
  readonly key: string;
}

export function chosenExample(): Chosen {
  const { example = 'fish', k } = route.value.params;
  const key = example === 'own' || Object.hasOwn(examples, example) ? example : 'fish';
  const base = key === 'own' ? { name: 'Your own text', ...own.value, k: 3 } : examples[key]!;
  const size = Number(k);
  return { ...base, key, k: size >= 1 && size <= 8 ? Math.round(size) : base.k };
}

/** A whole number of the address, within a range. */
export function numberParam(name: string, least: number, most: number, usual: number): number {
  const value = Math.round(Number(route.value.params[name] ?? Number.NaN));
  return value >= least && value <= most ? value : usual;
}

export function setNumber(name: string, value: number | undefined): void {
  setParams({ [name]: value === undefined ? undefined : String(value) });
}

const sketchers = signal<ReadonlyMap<number, Sketcher>>(new Map());

/** Undefined until the kernel is loaded. */
export function useSketcher(k: number): Sketcher | undefined {
  useEffect(() => {
    if (sketchers.peek().has(k)) return;
    void createSketcher({ shingle: `word:${k}` }).then(sketcher => {
      sketchers.value = new Map(sketchers.peek()).set(k, sketcher);
    });
  }, [k]);
  return sketchers.value.get(k);
}

export interface Element {
  readonly text: string;
  readonly hash: bigint;
  readonly inA: boolean;
  readonly inB: boolean;
}

export interface TwoSets {
  /** Of A first, then those only in B, in order of appearance. */
  readonly union: readonly Element[];
  readonly shared: number;
  readonly resemblance: number;
}

export function twoSets(sketcher: Sketcher, a: string, b: string): TwoSets {
  const [ofA, ofB] = [shinglesOf(sketcher, { text: a }), shinglesOf(sketcher, { text: b })];
  const elements = new Map<string, Element>();
  for (const [at, text] of ofA.shingles.entries())
    elements.set(text, { text, hash: ofA.hashes[at]!, inA: true, inB: false });
  for (const [at, text] of ofB.shingles.entries())
    elements.set(text, { text, hash: ofB.hashes[at]!, inA: elements.has(text), inB: true });
  const union = [...elements.values()];
  const shared = union.filter(({ inA, inB }) => inA && inB).length;
  return { union, shared, resemblance: union.length === 0 ? 0 : shared / union.length };
}

export interface Round {
  /** All elements in the order of this permutation, with their images. */
  readonly order: readonly (Element & { readonly image: bigint })[];
  readonly minA: string | undefined;
  readonly minB: string | undefined;
  readonly isEqual: boolean;
}

/** The i-th permutation of the library, BB(i, x), on the hashes of all shingles. */
export function roundOf({ union }: TwoSets, index: number): Round {
  const permutation = createPermutation(index);
  const order = union
    .map(element => ({ ...element, image: permutation.apply(element.hash) }))
    .sort((x, y) => (x.image < y.image ? -1 : 1));
  const minA = order.find(({ inA }) => inA)?.text;
  const minB = order.find(({ inB }) => inB)?.text;
  return { order, minA, minB, isEqual: minA !== undefined && minA === minB };
}
