/** The definition of a command: all that help, parsing, completion and docs know of it, and what runs it. */
import type { GivenOptions, OptionName, Options } from '../../options.ts';
import type { Io } from './io.ts';

export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** Takes all that is left; only the last may. */
  readonly many?: boolean;
  readonly choices?: readonly string[];
}

/** Of commands that read documents and take nothing else. */
export const inputArguments: readonly Argument[] = [
  { name: 'inputs', help: 'files, folders, patterns, or - for standard input', many: true },
];

/** Every command has it. */
export const quietHelp = 'no progress and no summary; rejects and damage are still reported';

/** A flag of one command only; flags of several stand in the table of src/options.ts. */
export interface Flag<Value = unknown> {
  readonly help: string;
  /** What stands after the flag; a flag without one is a switch. */
  readonly placeholder?: string;
  /** One letter: `o` for `-o`. */
  readonly short?: string;
  /** May be given several values, at once or again. */
  readonly many?: boolean;
  /** May be given again, one value each time: unlike `many`, it does not swallow the inputs that stand after it. */
  readonly again?: boolean;
  readonly choices?: readonly string[];
  /** Shown in help; it is the command that applies it. */
  readonly default?: string | number;
  /** Gets what was written (a string, a list of them, or true) and the flag's name for the error. */
  readonly parse: (given: unknown, name: string) => Value;
}

type FlagTable = Readonly<Record<string, Flag>>;
export type FlagValues<Flags extends FlagTable> = {
  readonly [Name in keyof Flags]?: ReturnType<Flags[Name]['parse']>;
};

interface CommandDefinition<Names extends OptionName, Flags extends FlagTable> {
  /** One word, or two when it belongs to a group: `index add`. */
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly Argument[];
  readonly options: readonly Names[];
  readonly flags: Flags;
  /** Help of common options of which this command takes fewer values than the table says. */
  readonly optionHelp?: Partial<Readonly<Record<OptionName, string>>>;
  /** Whole command lines, without the prompt. */
  readonly examples: readonly string[];
  /**
   * Called when all options were read and are valid. `options` holds their values, with defaults filled in. `given` holds the common
   * options as they were written: it tells which were asked for and which are defaults.
   * Heavy modules are imported in here, so that `neardup --version` does not wait for them. Returns the exit code, 0 if none.
   */
  run(
    args: readonly string[],
    options: Options<Names> & FlagValues<Flags>,
    io: Io,
    given: GivenOptions<Names>,
    // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing, and that means 0
  ): Promise<number | void>;
}

export type Command = CommandDefinition<OptionName, FlagTable>;

/** Lets TypeScript work out which options `run` receives. */
export function command<const Names extends OptionName, const Flags extends FlagTable>(
  definition: CommandDefinition<Names, Flags>,
): Command {
  return definition as unknown as Command;
}
