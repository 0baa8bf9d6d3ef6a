/** The commands, in the order of `neardup --help`, listed by hand. */
import type { Command } from '../command.ts';
import { checksumCommand } from './checksum.ts';
import { clustersCommand } from './clusters.ts';
import { compareCommand } from './compare.ts';
import { completionCommand } from './completion.ts';
import { dedupCommand } from './dedup.ts';
import { demoCommand } from './demo.ts';
import { pairsCommand } from './pairs.ts';
import { shinglesCommand } from './shingles.ts';
import { sketchCommand } from './sketch.ts';
import { tuneCommand } from './tune.ts';

export const commands: readonly Command[] = [
  dedupCommand,
  pairsCommand,
  clustersCommand,
  compareCommand,
  shinglesCommand,
  sketchCommand,
  checksumCommand,
  tuneCommand,
  demoCommand,
  completionCommand,
];

/** What is said of the first word of two-word commands. */
export const groups: Readonly<Record<string, string>> = {};
