/** The address → a scheme: bands that were chosen or given, or so many equal minima of so many; with its curve. */
import { bandCurve, matchCurve, tune } from 'neardup/browser';
import type { Params } from '../route.ts';

export type Mode = 'auto' | 'bands' | 'matches';

export interface Settings {
  readonly mode: Mode;
  readonly threshold: number;
  readonly recall: number;
  readonly hashes: number;
  readonly bands: number;
  readonly rows: number;
  readonly matches: number;
  readonly of: number;
}

const ranges = {
  threshold: [0.05, 1, 0.8],
  recall: [0.5, 0.999999, 0.999],
  hashes: [1, 1024, 128],
  bands: [1, 512, 20],
  rows: [1, 64, 5],
  matches: [1, 512, 90],
  of: [1, 512, 100],
} as const;

export function settingsOf(params: Params): Settings {
  const read = (name: keyof typeof ranges) => {
    const [least, most, usual] = ranges[name];
    const value = Number(params[name] ?? Number.NaN);
    return value >= least && value <= most ? value : usual;
  };
  const mode = params.mode === 'bands' || params.mode === 'matches' ? params.mode : 'auto';
  return {
    mode,
    threshold: read('threshold'),
    recall: read('recall'),
    hashes: Math.round(read('hashes')),
    bands: Math.round(read('bands')),
    rows: Math.round(read('rows')),
    matches: Math.min(Math.round(read('matches')), Math.round(read('of'))),
    of: Math.round(read('of')),
  };
}

export interface Scheme {
  readonly curve: (similarity: number) => number;
  /** `25 bands of 5` */
  readonly name: string;
  readonly formula: string;
  readonly bands?: number;
  readonly rows?: number;
  readonly command: string;
  readonly code: string;
}

/** Fails with the sentence that the library has for it, when no number of bands reaches the recall. */
export function schemeOf(settings: Settings): Scheme {
  const { mode, threshold, recall, hashes, matches, of } = settings;
  if (mode === 'matches') {
    return {
      curve: matchCurve(matches, of),
      name: `${matches} of ${of} equal`,
      formula: `Σ C(${of}, k) s^k (1 − s)^(${of} − k) for k from ${matches} to ${of}`,
      command: `neardup tune --matches ${matches} --of ${of}`,
      code: `tune({ matches: ${matches}, of: ${of} })`,
    };
  }
  const isAuto = mode === 'auto';
  const { bands, rows } = isAuto ? tune({ threshold, recall, hashes }) : settings;
  const size = isAuto ? hashes : bands * rows;
  const lsh = isAuto ? '' : ` --lsh bands:${bands}x${rows}`;
  const wanted = isAuto && recall !== 0.999 ? ` --recall ${recall}` : '';
  return {
    curve: bandCurve(bands, rows),
    name: `${bands} bands of ${rows}`,
    formula: `1 − (1 − s^${rows})^${bands}`,
    bands,
    rows,
    command: `neardup dedup in.jsonl -o kept.jsonl --threshold ${threshold} --sketch minhash:${size}${wanted}${lsh}`,
    code: isAuto
      ? `await dedup(documents, { threshold: ${threshold}, sketch: 'minhash:${size}', recall: ${recall} })`
      : `await dedup(documents, { threshold: ${threshold}, sketch: 'minhash:${size}', lsh: 'bands:${bands}x${rows}' })`,
  };
}
