/** The commands, in the order of `neardup --help`, listed by hand. */
import type { Command } from '../command.ts';
import { completionCommand } from './completion.ts';
import { tuneCommand } from './tune.ts';

export const commands: readonly Command[] = [tuneCommand, completionCommand];

/** What is said of the first word of two-word commands. */
export const groups: Readonly<Record<string, string>> = {};
