/** A request → nothing, or why Spark cannot do it: told before a server is started. */
import { existsSync } from 'node:fs';
import { fail } from '../../errors.ts';
import { isUrl, STANDARD_INPUT } from '../../formats/find/inputs.ts';
import { formats } from '../../formats/registry.ts';
import type { DocumentsForm, RunFiles, RunRequest } from '../engine.ts';
import { isConnectUrl, type SparkSettings } from './connect/server.ts';
import { canRead, ordersOf } from './number-lines.ts';

/** Before anything is read: Spark writes with the reader's twin. */
export function requireSparkForm(
  output: string,
  form: DocumentsForm,
  inputs: RunFiles['inputs'],
  csvSafe = false,
): void {
  const refuse = (why: string, option = '') =>
    fail('BAD_COMBINATION', { what: `${option}-o ${output} with --engine spark`, why });
  if (form.kind === 'copies') refuse('Spark writes records; name a file or a URL');
  else if (!inputs.every(({ format }) => form.format === (formats[format].isOneDocument ? 'jsonl' : format)))
    refuse('on Spark the output has the format of the input; files of one document come out as JSON lines');
  else if (csvSafe && (form.format === 'csv' || form.format === 'tsv'))
    refuse('Spark writes cells as they are', '--csv-safe ');
}

export function requireSparkable(
  { files, reading, tmp, resume }: RunRequest,
  { master, conf, node }: SparkSettings,
): void {
  const refuse = (what: string, why: string) => fail('BAD_COMBINATION', { what: `${what} with --engine spark`, why });
  if (resume) refuse('--resume', 'Spark repeats what fails by itself, and keeps nothing of a run that ended');
  if (reading.damaged === 'skip')
    refuse('--damaged skip', 'Spark does not say which lines of a damaged file it has read');
  for (const list of [files.inputs, files.reference]) {
    requireOneFormat(list, reading, refuse);
    ordersOf(list);
  }
  if (isNodeArchive(node) && !existsSync(node))
    fail('BAD_OPTION', { option: '--spark-node', expected: 'a file that is there', got: node });
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

/** What is shipped to the executors; anything else is a path there. */
export function isNodeArchive(node: string | undefined): node is string {
  return node !== undefined && /\.(tgz|tar\.gz|zip)$/.test(node);
}

function requireOneFormat(
  files: RunFiles['inputs'],
  { setField }: RunRequest['reading'],
  refuse: (what: string, why: string) => never,
): void {
  const [first, ...others] = new Set(files.map(({ format }) => format));
  if (first === undefined) return;
  const areDocuments = files.every(({ format }) => formats[format].isOneDocument);
  if (others.length > 0 && !areDocuments) refuse('inputs of several formats', 'they are one table, read by one reader');
  if (files.some(({ path }) => path === STANDARD_INPUT))
    refuse('standard input', 'executors cannot read it; name a file');
  if (!areDocuments && !canRead(first))
    refuse(
      `${formats[first].label} input`,
      'Spark has no reader for it; it reads JSON lines, Parquet, CSV, TSV and files of one document here',
    );
  if (areDocuments && setField !== undefined)
    refuse(`--set-field with ${formats[first].label} input`, 'a text is not a set');
}
