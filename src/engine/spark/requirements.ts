/** A request → nothing, or why Spark cannot do it: told before a server is started. */
import { fail } from '../../errors.ts';
import { isUrl, STANDARD_INPUT } from '../../formats/find/inputs.ts';
import { formats } from '../../formats/registry.ts';
import type { DocumentsForm, RunFiles, RunRequest } from '../engine.ts';
import { isConnectUrl, type SparkSettings } from './connect/server.ts';
import { canRead } from './number-lines.ts';

/** Before anything is read: Spark writes with the reader's twin. */
export function requireSparkForm(output: string, form: DocumentsForm, inputs: RunFiles['inputs']): void {
  if (form.kind !== 'copies' && inputs.every(({ format }) => format === form.format)) return;
  const why = 'on Spark the output has the format of the input';
  fail('BAD_COMBINATION', { what: `-o ${output} with --engine spark`, why });
}

export function requireSparkable(
  { files, reading, tmp, resume, decisions }: RunRequest,
  { master, conf }: SparkSettings,
): void {
  const refuse = (what: string, why: string) => fail('BAD_COMBINATION', { what: `${what} with --engine spark`, why });
  if (resume) refuse('--resume', 'Spark repeats what fails by itself, and keeps nothing of a run that ended');
  if (decisions) refuse('--decisions', 'pairs that people decided on are not linked there yet; run it on this machine');
  if (reading.damaged === 'skip')
    refuse('--damaged skip', 'Spark does not say which lines of a damaged file it has read');
  for (const list of [files.inputs, files.reference]) requireOneFormat(list, refuse);
  if (new Set(files.inputs.map(({ path }) => isUrl(path))).size > 1)
    refuse(
      'URLs beside paths',
      'the order of the inputs decides what is kept, and they are read apart; name all of them by URL',
    );
  const remote = [...files.inputs, ...files.reference].find(({ path }) => isUrl(path) && !path.startsWith('file:'));
  if (remote && (tmp === undefined || !isUrl(tmp)))
    refuse(
      remote.path,
      '--tmp must name a folder that all executors reach, such as hdfs://…/tmp, for what stages leave',
    );
  if (isConnectUrl(master) && conf.length > 0)
    refuse('--spark-conf', 'a server that is running has its settings; they are for a Spark that neardup starts');
}

function requireOneFormat(files: RunFiles['inputs'], refuse: (what: string, why: string) => never): void {
  const [first, ...others] = new Set(files.map(({ format }) => format));
  if (first === undefined) return;
  if (others.length > 0) refuse('inputs of several formats', 'they are one table, read by one reader');
  if (files.some(({ path }) => path === STANDARD_INPUT))
    refuse('standard input', 'executors cannot read it; name a file');
  if (!canRead(first)) refuse(`${formats[first].label} input`, 'Spark reads JSON lines, Parquet, CSV and TSV here');
}
