/** A shell and the command definitions → its completion script. */
import type { Command } from '../app/command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { completedCommands } from './words.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function completionScript(shell: keyof typeof scripts, commands: readonly Command[]): string {
  return scripts[shell](completedCommands(commands));
}
