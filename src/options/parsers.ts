/** A value as it was given, by a string of the command line or by the library → what a call works with. */
import { fail } from '../errors.ts';
import type { KeepSpec, LshSpec, Measure, ShingleSpec, SketchKind, SketchSpec } from '../model.ts';
import { type NormaliseStep, normaliseLanguages, plainSteps } from './normalise.ts';

export function parseNumber(given: unknown, option: string, min: number, max: number): number {
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof value === 'number' && value >= min && value <= max) return value;
  return fail('BAD_OPTION', { option, expected: `a number between ${min} and ${max}`, got: asNumberIfItIsOne(given) });
}

export function parseInteger(given: unknown, option: string, min: number, max: number): number {
  const value = typeof given === 'string' && /^\s*-?\d+\s*$/.test(given) ? Number(given) : given;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  return fail('BAD_OPTION', {
    option,
    expected: `a whole number between ${min} and ${max}`,
    got: asNumberIfItIsOne(given),
  });
}

/** `--threshold 8` is reported as 8, not as "8"; `--hashes 1e2` as it was written, since 100 would have been right. */
function asNumberIfItIsOne(given: unknown): unknown {
  return typeof given === 'string' && String(Number(given)) === given.trim() ? Number(given) : given;
}

export function parseChoice<Choice extends string>(given: unknown, option: string, choices: readonly Choice[]): Choice {
  return (
    choices.find(choice => choice === given) ?? fail('BAD_OPTION', { option, expected: orList(choices), got: given })
  );
}

export const measures = ['resemblance', 'containment', 'edit'] as const satisfies readonly Measure[];

export function parseMeasure(given: unknown, option: string): Measure {
  if (given === 'dice' || given === 'overlap') {
    const why =
      `1 − ${given} breaks the triangle inequality, so no locality-sensitive hash exists for it; ` +
      'search by resemblance or containment, and read the value from compare';
    return fail('BAD_COMBINATION', { what: `${option} ${given} cannot be searched by`, why });
  }
  return parseChoice(given, option, measures);
}

/** The kernel carries K − 1 tokens from piece to piece (kernel/pieces.ts has the room). */
const MAX_SHINGLE = 1000;

export function parseShingle(given: unknown, option: string): ShingleSpec {
  const match = /^(word|char):(\d{1,4})$/.exec(String(given));
  const size = Number(match?.[2]);
  if (match && size >= 1 && size <= MAX_SHINGLE) return Object.freeze({ unit: match[1] as ShingleSpec['unit'], size });
  return fail('BAD_OPTION', { option, expected: `word:K or char:K with K from 1 to ${MAX_SHINGLE}`, got: given });
}

/** Sizes a sketch may have, and the one it has when none is written; a size of 0 for `mod` means chosen by the document. */
const sketchSizes: Record<SketchKind, { min: number; max: number; default?: number }> = {
  minhash: { min: 1, max: 4096, default: 128 },
  oph: { min: 1, max: 4096, default: 128 },
  bottom: { min: 1, max: 65536, default: 200 },
  mod: { min: 1, max: 2 ** 31, default: 0 },
  super: { min: 12, max: 4096, default: 84 },
  simhash: { min: 64, max: 64, default: 64 },
};

export function parseSketch(given: unknown, option: string): SketchSpec {
  const [kind, written, ...rest] = String(given).split(':');
  const sizes = Object.hasOwn(sketchSizes, kind!) ? sketchSizes[kind as SketchKind] : undefined;
  if (!sizes || rest.length > 0) {
    return fail('BAD_OPTION', {
      option,
      expected: 'minhash:K, oph:K, bottom:S, mod:M, mod:auto, super or simhash',
      got: given,
    });
  }
  if (written === undefined || (kind === 'mod' && written === 'auto')) {
    return Object.freeze({ kind: kind as SketchKind, size: sizes.default ?? 0 });
  }
  return Object.freeze({
    kind: kind as SketchKind,
    size: parseInteger(written, `${option} ${kind}:size`, sizes.min, sizes.max),
  });
}

export function parseLsh(given: unknown, option: string): LshSpec {
  if (given === 'auto') return Object.freeze({ kind: 'auto' });
  const match = /^(bands|random):(\d{1,4})x(\d{1,4})$/.exec(String(given));
  const bands = Number(match?.[2]);
  const rows = Number(match?.[3]);
  if (match && bands >= 1 && rows >= 1) return Object.freeze({ kind: match[1] as 'bands' | 'random', bands, rows });
  return fail('BAD_OPTION', { option, expected: 'auto, bands:BxR or random:BxR', got: given });
}

export function parseKeep(given: unknown, option: string): KeepSpec {
  const text = String(given);
  if (text === 'first' || text === 'longest' || text === 'shortest') return Object.freeze({ policy: text });
  const [, policy, rest] = /^(max|min|prefer):(.+)$/s.exec(text) ?? [];
  if (rest !== undefined && (policy === 'max' || policy === 'min')) return Object.freeze({ policy, field: rest });
  const [, field, values] = policy === 'prefer' ? (/^([^=]+)=(.+)$/s.exec(rest!) ?? []) : [];
  if (field !== undefined) return Object.freeze({ policy: 'prefer', field, values: Object.freeze(values!.split(',')) });
  const expected = 'first, longest, shortest, max:FIELD, min:FIELD or prefer:FIELD=v1,v2,…';
  return fail('BAD_OPTION', { option, expected, got: given });
}

const byteUnits: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** `64MB` → bytes; units are powers of 1,024. */
export function parseBytes(given: unknown, option: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]?B?)$/i.exec(String(given)) ?? [];
  const factor = unit === undefined ? undefined : byteUnits[unit.toUpperCase().replace(/^([KMGT])$/, '$1B')];
  if (factor !== undefined && Number(number) > 0) return Math.floor(Number(number) * factor);
  return fail('BAD_OPTION', { option, expected: 'a size such as 64MB or 2GB', got: given });
}

/** `30%` → 0.3 */
export function parseShare(given: unknown, option: string): number {
  const [, number] = /^(\d+(?:\.\d+)?)%$/.exec(String(given)) ?? [];
  if (number !== undefined && Number(number) <= 100) return Number(number) / 100;
  return fail('BAD_OPTION', { option, expected: 'a percentage such as 30%', got: given });
}

export function parseNormalise(given: unknown, option: string): readonly NormaliseStep[] {
  const list: unknown[] =
    typeof given === 'string' ? given.split(',').filter(Boolean) : Array.isArray(given) ? given : [given];
  return Object.freeze(list.map(step => parseNormaliseStep(step, option)));
}

function parseNormaliseStep(given: unknown, option: string): NormaliseStep {
  const step = typeof given === 'string' ? given.trim() : '';
  if (plainSteps.includes(step as never)) return step as NormaliseStep;
  const [, kind, language] = /^(stopwords|stem):(.+)$/s.exec(step) ?? [];
  if (language !== undefined) {
    const languages: readonly string[] = normaliseLanguages[kind as 'stopwords' | 'stem'];
    if (languages.includes(language)) return step as NormaliseStep;
    return fail('BAD_OPTION', {
      option,
      expected: `${kind}:LANGUAGE, LANGUAGE one of ${languages.join(', ')}`,
      got: given,
    });
  }
  const expected = `a list of ${plainSteps.join(', ')}, stopwords:LANGUAGE, stem:LANGUAGE`;
  return fail('BAD_OPTION', { option, expected, got: given });
}

function orList(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}
