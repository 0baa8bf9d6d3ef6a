/** Inputs of an index command → their documents and verdicts. What cannot be used is reported or listed, and the run goes on. */

import { Losses, unknownEndings } from '../../batch/losses.ts';
import type { InputOptions } from '../../batch/options.ts';
import { listFormat, type NamedOutputs, requireOwnFiles } from '../../batch/outputs.ts';
import { withoutText } from '../../engine/analyse/content.ts';
import { fail, NeardupError } from '../../errors.ts';
import { requireUnchanged } from '../../files/unchanged.ts';
import { ReadingStopped } from '../../files/until-stopped.ts';
import { expandInputs, type InputFile, STANDARD_INPUT } from '../../formats/find/inputs.ts';
import { type DocumentItem, type Item, isDamage, isReject, type ReadOptions, type Reject } from '../../formats/item.ts';
import { jsonText } from '../../formats/json/json-fields.ts';
import type { WriterSettings } from '../../formats/loaders.ts';
import { readBatches } from '../../formats/read.ts';
import { formats } from '../../formats/registry.ts';
import { openWriter } from '../../formats/write.ts';
import type { DocumentWriter } from '../../formats/writer.ts';
import type { Document } from '../../model.ts';
import { many } from '../../report/printable.ts';
import type { NearIndex } from '../../store/near-index.ts';
import type { Verdict } from '../../store/record.ts';
import type { Io } from '../app/io.ts';
import { openOnce } from '../input/open-once.ts';

/** Files the command writes, by their flags; rejects go to that of `--rejects`. */
type Outputs = NamedOutputs & { readonly '--rejects'?: string | undefined };

interface Added {
  readonly item: DocumentItem;
  readonly verdict: Verdict;
}

/** Callbacks for what happens, in input order. */
interface Following {
  readonly onRead?: (item: DocumentItem) => void;
  readonly onOther?: ReadOptions['onOther'];
  /** Called before the verdict is remembered. */
  readonly onDecided?: (verdict: Verdict, item: DocumentItem) => Promise<void>;
  /** Called once for a batch, before its verdicts are remembered. */
  readonly beforeRemembering?: () => Promise<void>;
}

/** Everything that can be wrong about files is found before an index is opened, or made. After `stop`, reading ends soon. */
export async function openIndexInputs(
  inputs: readonly string[],
  options: InputOptions & Pick<WriterSettings, 'csvSafe'>,
  io: Io,
  outputs: Outputs,
  index: string,
  stop?: AbortSignal,
): Promise<IndexInputs> {
  const brokenLinks: Reject[] = [];
  const brokenLink = options.strict ? undefined : (reject: Reject) => void brokenLinks.push(reject);
  const found = await expandInputs(inputs, options.format, { brokenLink, unknownEndings: unknownEndings(io) });
  await requireOwnFiles(outputs, found, index);
  const files = await openUnlessStopped(stop ? found.map(file => ({ ...file, stop })) : found, options);
  const { '--rejects': path } = outputs;
  const list =
    path === undefined
      ? undefined
      : await openWriter(path, listFormat('--rejects', path), { csvSafe: options.csvSafe });
  return new IndexInputs(files, options, io, brokenLinks, list);
}

/** Documents from a pipe are taken as they are crawled. */
async function openUnlessStopped(files: readonly InputFile[], options: InputOptions): Promise<readonly InputFile[]> {
  try {
    return await openOnce(files, options, 'stream');
  } catch (error) {
    if (error instanceof ReadingStopped) return files;
    throw error;
  }
}

class IndexInputs {
  readonly files: readonly InputFile[];
  documents = 0;
  rejected = 0;
  /** Documents that could be read, and that the index does not take. */
  refused = 0;
  readonly #options: InputOptions;
  readonly #io: Io;
  readonly #brokenLinks: readonly Reject[];
  readonly #list: DocumentWriter | undefined;
  readonly #losses: Losses;
  #hasChanged = false;

  constructor(
    files: readonly InputFile[],
    options: InputOptions,
    io: Io,
    brokenLinks: readonly Reject[],
    list: DocumentWriter | undefined,
  ) {
    this.files = files;
    this.#options = options;
    this.#io = io;
    this.#brokenLinks = brokenLinks;
    this.#list = list;
    this.#losses = new Losses(io, list !== undefined);
  }

  /** Documents of each chunk that is read. Ids may come again: in an index an id is a key. */
  async *read(onOther?: ReadOptions['onOther']): AsyncGenerator<readonly DocumentItem[]> {
    try {
      for (const reject of this.#brokenLinks) await this.#reject(reject);
      for await (const batch of readBatches(this.files, { ...this.#options, ...(onOther && { onOther }) })) {
        const group: DocumentItem[] = [];
        // A file can be read again. What was taken from a pipe is gone, so it is used.
        if (this.#isStopped && batch.some(item => fileOf(item) !== STANDARD_INPUT)) return;
        for (const item of batch) {
          if (isReject(item)) await this.#reject(item.reject);
          else if (isDamage(item)) this.#losses.addDamage(item.damage);
          else {
            this.#losses.show();
            this.documents++;
            group.push(this.#options.setField === undefined ? item : { ...item, document: withoutText(item.document) });
          }
        }
        if (group.length > 0) yield group;
      }
      // An empty input is fine where documents come as they are crawled.
      if (this.documents === 0 && this.#losses.hasAny) this.#losses.failOnNothing(this.files);
    } catch (error) {
      if (error instanceof ReadingStopped) return;
      await this.#list?.abort();
      throw error;
    }
  }

  get #isStopped(): boolean {
    return this.files.some(({ stop }) => stop?.aborted);
  }

  async *addTo(
    index: NearIndex,
    { onRead, onOther, onDecided, beforeRemembering }: Following = {},
  ): AsyncGenerator<readonly Added[]> {
    const waiting: DocumentItem[] = [];
    const items = new WeakMap<Document, DocumentItem>();
    const documents = async function* (this: IndexInputs) {
      for await (const group of this.read(onOther)) {
        for (const item of group) {
          onRead?.(item);
          waiting.push(item);
          items.set(item.document, item);
        }
        yield group.map(({ document }) => document);
      }
    };
    let stopped: unknown;
    // Of those behind a refused document, strictly, none is passed on.
    const decided = async (verdict: Verdict, document: Document) => {
      if (stopped) throw stopped;
      await onDecided?.(verdict, items.get(document)!);
    };
    const refused = (error: Error, document: Document) =>
      this.#refuse(items.get(document)!, error.message).catch(error => {
        stopped = error;
        throw error;
      });
    const { strict } = this.#options;
    const settings = {
      json: (document: Document) => jsonText(items.get(document)!),
      ...((onDecided || strict) && { onDecided: decided }),
      ...(strict && { onRefused: refused }),
      ...(beforeRemembering && { beforeRemembering }),
    };
    for await (const outcomes of index.addGroups(documents.call(this), settings)) {
      const added: Added[] = [];
      for (const [at, item] of waiting.splice(0, outcomes.length).entries()) {
        const outcome = outcomes[at]!;
        if ('error' in outcome) await this.#refuse(item, outcome.error.message);
        else added.push({ item, verdict: outcome });
      }
      yield added;
    }
    await this.end();
  }

  /** Closes the list of rejects. If an input has changed, a warning and the exit code say so; what was remembered stays. */
  async end(): Promise<void> {
    this.#losses.end();
    await this.#list?.close();
    if (this.#isStopped) return;
    await requireUnchanged(this.files).catch(error => {
      if (!(error instanceof NeardupError)) throw error;
      this.#hasChanged = true;
      this.#io.warn(`neardup: ${error.message}`);
    });
  }

  /** Documents that were left out are reported even with --quiet. */
  exitCode(): number {
    if (this.refused === 0) return this.#hasChanged ? 1 : 0;
    const { quiet, stderr } = this.#io;
    if (quiet) stderr.write(`neardup: ${many(this.refused, 'document')} refused by the index\n`);
    return 1;
  }

  async #refuse({ source, isUnnamed, format }: DocumentItem, why: string): Promise<void> {
    this.refused++;
    const { idField, strict } = this.#options;
    const isNumbered = isUnnamed && !formats[format].isOneDocument;
    const reason = isNumbered ? `${why} (a line without the field ${idField}: its place is its id)` : why;
    if (strict) fail('BAD_LINE', { ...source, reason });
    if (!this.#io.quiet) this.#losses.add({ ...source, reason });
    await this.#list?.write({ record: { ...source, reason } });
  }

  async #reject(reject: Reject): Promise<void> {
    if (this.#options.strict) fail('BAD_LINE', reject);
    this.rejected++;
    this.#losses.add(reject);
    await this.#list?.write({ record: { ...reject } });
  }
}

function fileOf(item: Item): string {
  if (isDamage(item)) return item.damage.file;
  return isReject(item) ? item.reject.file : item.source.file;
}
