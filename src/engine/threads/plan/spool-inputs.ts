/** Input files → files of JSON lines that can be read in parts: as they are, decompressed, or converted, one line a document. */
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { failWriting } from '../../../files/system-errors.ts';
import { failOnChange } from '../../../files/unchanged.ts';
import { readBytes } from '../../../formats/bytes.ts';
import { BrokenInput } from '../../../formats/compression/codec.ts';
import { fieldOf } from '../../../formats/fields.ts';
import type { InputFile } from '../../../formats/find/inputs.ts';
import { locationOf as nameOf } from '../../../formats/ids.ts';
import {
  DEFAULT_MAX_DOCUMENT,
  type DocumentItem,
  type FileDamage,
  isDamage,
  isReject,
  type ReadOptions,
  type Source,
} from '../../../formats/item.ts';
import { encodeJson } from '../../../formats/json/encode-json.ts';
import { readJsonLine } from '../../../formats/json/read.ts';
import { readBatches } from '../../../formats/read.ts';
import { formats } from '../../../formats/registry.ts';
import { lastAtMost } from '../../ascending.ts';
import { storedSize } from '../../run-files.ts';
import type { LineFile } from './plan.ts';

export interface SpooledFile extends LineFile {
  /** Where a line, counted from 0, comes from. */
  sourceOf(line: number): Source;
  /** What names a document of this line that has no id of its own. */
  locationOf(line: number): string;
  /** Bytes of the files it was made of, decompressed. */
  readonly contentBytes: number;
  /** Where the files it was made of could not be read to their end. */
  readonly damages: readonly FileDamage[];
  /** The one input whose lines these are; undefined when documents of several may have been converted. */
  readonly input?: InputFile;
}

export interface SpoolRequest {
  readonly reading: ReadOptions;
  /** Fields besides id and text or set that the run needs. */
  readonly fields: readonly string[];
  readonly folder: string;
  /** Told of the bytes of each input that is done with. */
  readonly onDone: (bytes: number) => void;
}

/** Neighbours that have to be converted share a file. What an earlier run has left whole is used again. */
export async function spoolInputs(
  files: readonly InputFile[],
  name: string,
  request: SpoolRequest,
): Promise<SpooledFile[]> {
  const spooled: SpooledFile[] = [];
  for (let i = 0; i < files.length; ) {
    const file = files[i]!;
    const path = join(request.folder, `${name}-${i}`);
    if (!formats[file.format].isLines) {
      const run = files.slice(i);
      const end = run.findIndex(({ format }) => formats[format].isLines);
      const converted = end < 0 ? run : run.slice(0, end);
      spooled.push(await convert(converted, path, request));
      i += converted.length;
      continue;
    }
    spooled.push(file.compression === 'none' ? asItIs(file) : await decompressed(file, path, request));
    i++;
  }
  return spooled;
}

function asItIs(input: InputFile): SpooledFile {
  const { path: name, stored: path = name } = input;
  const size = storedSize(input);
  return rawLines(input, path, { size, contentBytes: size, damages: [] });
}

function rawLines(
  input: InputFile,
  path: string,
  { size: end, contentBytes, damages }: Omit<Described, 'runs'>,
): SpooledFile {
  const { path: name } = input;
  const sourceOf = (line: number) => ({ file: name, line: line + 1 });
  const locationOf = (line: number) => nameOf(sourceOf(line), 'jsonl');
  return { name, path, start: 0, end, isConverted: false, sourceOf, locationOf, contentBytes, damages, input };
}

/** What is said of a spool beside it, once it is whole. */
interface Described {
  readonly size: number;
  readonly contentBytes: number;
  readonly damages: readonly FileDamage[];
  /** [line of the spool, file, line there]: from this line on, both numbers grow together. */
  readonly runs: readonly (readonly [number, string, number])[];
}

async function decompressed(file: InputFile, path: string, request: SpoolRequest): Promise<SpooledFile> {
  const { reading } = request;
  const described = await spool(path, async write => {
    const content = new ContentCounter();
    const damages: FileDamage[] = [];
    const lines = new LineCounter(reading.maxDocument ?? DEFAULT_MAX_DOCUMENT);
    try {
      for await (const bytes of readBytes(content.of(file))) await write(lines.whole(bytes));
      await write(lines.rest());
    } catch (error) {
      if (!(error instanceof BrokenInput)) throw error;
      if (reading.damaged !== 'skip') await failOnDamage(file, reading);
      // A last line that is whole but for its end is used; the start of one is not.
      const last = lines.rest();
      const item = readJsonLine(last, { file: file.path, line: lines.count + 1 }, reading);
      const isWhole = item !== undefined && !isReject(item);
      if (isWhole) await write(last);
      // How many documents there are is known when the lines were read.
      const line = lines.count + (isWhole ? 2 : 1);
      damages.push({ file: file.path, line, reason: error.message, readable: 0 });
    }
    return { contentBytes: content.bytes, damages, runs: [] };
  });
  request.onDone(storedSize(file));
  return rawLines(file, path, described);
}

class ContentCounter {
  bytes = 0;

  of(file: InputFile): InputFile {
    const onContent = (bytes: number) => {
      this.bytes += bytes;
    };
    return { ...file, onContent };
  }
}

/** The readable documents are counted by reading them, as the in-memory engine does. */
async function failOnDamage(file: InputFile, reading: ReadOptions): Promise<never> {
  for await (const _ of readBatches([file], reading));
  return failOnChange(file.path);
}

/** Counts lines, and holds back the last one while its end is not there; of one that is too large, only so much. */
class LineCounter {
  count = 0;
  #held: Uint8Array[] = [];
  #size = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What was held back and the lines that are whole now. */
  whole(bytes: Uint8Array): Uint8Array {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) this.count++;
    this.#hold(bytes.subarray(0, end));
    const whole = end > 0 ? this.rest() : new Uint8Array(0);
    this.#hold(bytes.subarray(end));
    return this.#size > this.#limit ? this.rest() : whole;
  }

  rest(): Uint8Array {
    const held = Buffer.concat(this.#held, this.#size);
    this.#held = [];
    this.#size = 0;
    return held;
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#size += bytes.length;
  }
}

const NEWLINE = 0x0a;

async function convert(files: readonly InputFile[], path: string, request: SpoolRequest): Promise<SpooledFile> {
  const { reading, fields, onDone } = request;
  const { size, contentBytes, damages, runs } = await spool(path, async write => {
    const content = new ContentCounter();
    const damages: FileDamage[] = [];
    const runs: [number, string, number][] = [];
    let line = 0;
    for (const file of files) {
      for await (const batch of readBatches([content.of(file)], reading)) {
        const lines: string[] = [];
        for (const item of batch) {
          if (isDamage(item)) {
            damages.push(item.damage);
            continue;
          }
          const source = isReject(item) ? item.reject : item.source;
          const [start, name, first] = runs.at(-1) ?? [0, undefined, 0];
          if (name !== source.file || source.line !== first + line - start) runs.push([line, source.file, source.line]);
          // A reject is a line, too: a string, its reason. So millions of them take no memory.
          const content = isReject(item) ? item.reject.reason : spooledRecord(item, reading, fields);
          lines.push(`${encodeJson(content)}\n`);
          line++;
        }
        await write(Buffer.from(lines.join('')));
      }
      onDone(storedSize(file));
    }
    return { contentBytes: content.bytes, damages, runs };
  });
  const starts = runs.map(([start]) => start);
  const sourceOf = (line: number): Source => {
    const [start, file, first] = runs[lastAtMost(starts, line)]!;
    return { file, line: first + line - start };
  };
  const formats = new Map(files.map(({ path, format }) => [path, format]));
  const locationOf = (line: number) => nameOf(sourceOf(line), formats.get(sourceOf(line).file)!);
  return {
    name: basename(path),
    path,
    start: 0,
    end: size,
    isConverted: true,
    sourceOf,
    locationOf,
    contentBytes,
    damages,
  };
}

/** Under the names by which the lines of all inputs are read. */
function spooledRecord(
  { document, isUnnamed }: DocumentItem,
  { idField, textField, setField }: ReadOptions,
  fields: readonly string[],
): Record<string, unknown> {
  const others = fields.map(field => [field, fieldOf(document, field)] as const);
  const id = isUnnamed ? undefined : document.id;
  const content = setField === undefined ? [textField, document.text] : [setField, document.set];
  return Object.fromEntries([...others, [idField, id], content]);
}

type Write = (bytes: Uint8Array) => Promise<void>;

async function spool(path: string, fill: (write: Write) => Promise<Omit<Described, 'size'>>): Promise<Described> {
  const description = `${path}.json`;
  if (existsSync(description)) {
    const described: Described = JSON.parse(readFileSync(description, 'utf8'));
    if (existsSync(path) && statSync(path).size === described.size) return described;
  }
  const stream = createWriteStream(path, { mode: 0o600 });
  const failed = finished(stream).catch(error => failWriting(path, error));
  failed.catch(() => {});
  let size = 0;
  const rest = await fill(async bytes => {
    size += bytes.length;
    if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), failed]);
  });
  stream.end();
  await failed;
  const described = { size, ...rest };
  writeFileSync(`${description}.part`, JSON.stringify(described), { mode: 0o600 });
  renameSync(`${description}.part`, description);
  return described;
}
