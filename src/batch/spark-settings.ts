/** Options that say where a run works → the settings of Spark; undefined for a run on this machine. */
import type { SparkSettings } from '../engine/spark/connect/server.ts';
import { fail } from '../errors.ts';
import type { NameOf, Options } from '../options.ts';

/** What Spark takes besides `master`. */
interface SparkExtras {
  /** `key=value` for the Spark that is started. */
  readonly sparkConf?: readonly string[] | undefined;
  /** Node on the executors (`node` unless given), or a .tgz with bin/node to ship to them. */
  readonly sparkNode?: string | undefined;
}

export function sparkSettings(
  { engine, master }: Options<'engine' | 'master'>,
  { sparkConf, sparkNode }: SparkExtras,
  nameOf: NameOf,
): SparkSettings | undefined {
  const refuse = (what: string, why: string) => fail('BAD_COMBINATION', { what, why });
  if (engine === 'spark') {
    if (master === undefined)
      return refuse(
        `${nameOf('engine')} spark without ${nameOf('master')}`,
        `say where Spark runs, as in ${nameOf('master')} local[4]`,
      );
    for (const setting of sparkConf ?? [])
      if (!/^[^=\s]+=/.test(setting))
        fail('BAD_OPTION', { option: nameOf('sparkConf'), expected: 'key=value', got: setting });
    return { master, conf: sparkConf ?? [], node: sparkNode };
  }
  for (const [name, given] of Object.entries({ master, sparkConf, sparkNode }))
    if (given !== undefined) refuse(`${nameOf(name)} without ${nameOf('engine')} spark`, 'it is for runs on Spark');
  return undefined;
}
