/** The commands, in the order of `neardup --help`, listed by hand. */
import type { Command } from '../app/command.ts';
import { checksumCommand } from './checksum.ts';
import { clustersCommand } from './clusters.ts';
import { collapseCommand } from './collapse.ts';
import { compareCommand } from './compare.ts';
import { completionCommand } from './completion.ts';
import { dedupCommand } from './dedup.ts';
import { demoCommand } from './demo.ts';
import { filterCommand } from './filter.ts';
import { indexAddCommand } from './index-add.ts';
import {
  indexBackupCommand,
  indexCheckCommand,
  indexCompactCommand,
  indexGetCommand,
  indexRemoveCommand,
  indexStatsCommand,
} from './index-tools.ts';
import { pairsCommand } from './pairs.ts';
import { searchCommand } from './search.ts';
import { serveCommand } from './serve.ts';
import { shinglesCommand } from './shingles.ts';
import { sketchCommand } from './sketch.ts';
import { tuneCommand } from './tune.ts';

export const commands: readonly Command[] = [
  dedupCommand,
  pairsCommand,
  clustersCommand,
  searchCommand,
  compareCommand,
  filterCommand,
  collapseCommand,
  indexAddCommand,
  indexRemoveCommand,
  indexGetCommand,
  indexStatsCommand,
  indexCheckCommand,
  indexBackupCommand,
  indexCompactCommand,
  serveCommand,
  shinglesCommand,
  sketchCommand,
  checksumCommand,
  tuneCommand,
  demoCommand,
  completionCommand,
];

/** What is said of the first word of two-word commands. */
export const groups: Readonly<Record<string, string>> = {
  index: 'the persistent index: add, remove, get, stats, check, backup, compact',
};
