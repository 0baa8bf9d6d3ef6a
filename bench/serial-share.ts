/** What `trace-tasks.mjs` noted of a process → how long it took, and for how much of that no worker had a task. */
import { readFileSync } from 'node:fs';

interface Interval {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

export interface Serial {
  /** Of the whole process, in milliseconds. */
  readonly total: number;
  readonly serial: number;
  /** Between which stages workers waited, the longest first. */
  readonly gaps: readonly (readonly [between: string, milliseconds: number])[];
}

export function serialShare(file: string): Serial {
  const intervals: Interval[] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  const whole = intervals.find(({ name }) => name === 'process')!;
  const tasks = intervals.filter(({ name }) => name !== 'process').sort((a, b) => a.from - b.from);
  const gaps = new Map<string, number>();
  let serial = 0;
  let last: Pick<Interval, 'name' | 'to'> = { name: 'start', to: whole.from };
  for (const { name, from, to } of [...tasks, { name: 'end', from: whole.to, to: whole.to }]) {
    const gap = Math.max(0, from - last.to);
    const between = `${last.name} → ${name}`;
    gaps.set(between, (gaps.get(between) ?? 0) + gap);
    serial += gap;
    if (to > last.to) last = { name, to };
  }
  return { total: whole.to - whole.from, serial, gaps: [...gaps].sort(([, a], [, b]) => b - a) };
}
