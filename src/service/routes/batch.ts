/**
 * NDJSON of documents → NDJSON of verdicts, in order, while both are under way.
 *
 * The reader sets the pace: verdicts that are not taken hold up reading, and so the sender. What was answered is durable.
 * A line that cannot be used gets `{ line, id?, error }` in its place, and the others go on.
 */
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { LineSplitter } from '../../formats/json/lines.ts';
import type { RawRecord } from '../../formats/splitter.ts';
import type { AddOutcome } from '../../store/index-settings.ts';
import { NDJSON, tooLarge, tooLate } from '../bodies.ts';
import { ServiceError, toldOf } from '../errors.ts';
import { LineStream } from '../lines.ts';
import { contentOf, described, type Serving } from '../routing.ts';
import { BatchAnswerSchema, DocumentSchema } from '../schemas.ts';

const HEARING = 1_000; // ms

export function batchRoute(serving: Serving): void {
  const { app, index } = serving;
  app.post(
    '/v1/documents/batch',
    {
      config: { takes: contentOf(NDJSON, DocumentSchema) },
      schema: described({
        tag: 'documents',
        summary: 'Add documents, one JSON object a line',
        description:
          'Verdicts come in the order of the lines, while more is sent. A line that cannot be used gets { line, id?, error } in its place. A last line { error } says that the rest was not read.',
        answers: { 200: contentOf(NDJSON, BatchAnswerSchema) },
        errors: [408, 413, 415],
      }),
    },
    async (request, reply) => {
      const { batch } = serving.settings.limits;
      if (Number(request.headers['content-length'] ?? 0) > batch) throw tooLarge(batch);
      if (request.body === undefined || Buffer.isBuffer(request.body))
        throw new ServiceError(415, 'UNSUPPORTED_MEDIA_TYPE', `a batch is sent as ${NDJSON}`);
      const adding = index();
      const lines = new LineStream();
      void answerAll(serving, adding, request.body as Readable, lines).catch(error => {
        serving.log.error({ reqId: request.id, err: { message: (error as Error).message } }, 'a batch failed');
        lines.stream.destroy(error as Error);
      });
      // A client that still sends when the answer is complete has its time to hear it.
      reply.raw.once('finish', () => {
        if (!request.raw.complete) setTimeout(() => request.raw.destroy(), HEARING).unref();
      });
      return reply.type(NDJSON).send(lines.stream);
    },
  );
}

async function answerAll(
  { metrics, settings, stopping }: Serving,
  index: ReturnType<Serving['index']>,
  body: Readable,
  lines: LineStream,
): Promise<void> {
  const { limits } = settings;
  /** Lines whose verdicts are still to come. */
  const waiting: { readonly line: number; readonly isTooLarge: boolean }[] = [];
  let ended: unknown;
  const documents = async function* () {
    try {
      for await (const records of linesIn(body, limits, stopping)) {
        if (!lines.isOpen) return;
        for (const { line, bytes } of records) waiting.push({ line, isTooLarge: bytes === undefined });
        yield records.map(({ bytes = NOTHING }) => bytes);
      }
    } catch (error) {
      ended = error;
    }
  };
  try {
    for await (const outcomes of index.addGroups(documents())) {
      if (!lines.isOpen) break;
      const answered = waiting.splice(0, outcomes.length);
      const answers = outcomes.map((outcome, at) => {
        const { line, isTooLarge } = answered[at]!;
        if ('status' in outcome) metrics.verdict(outcome.status);
        return isTooLarge ? refused(line, limits.body) : answerOf(outcome, line);
      });
      await lines.write(...answers.map(answer => JSON.stringify(answer)));
    }
  } catch (error) {
    ended = error;
  }
  // Cut by the client: what it did not hear of may be stored, and sending it again changes nothing.
  if (!lines.isOpen) return void body.destroy();
  if (ended) await lines.write(JSON.stringify(toldOf(ended).body));
  lines.end();
}

const NOTHING = new Uint8Array(0);

function answerOf(outcome: AddOutcome, line: number): object {
  if (!('error' in outcome)) return outcome;
  const { id, error } = outcome;
  return { line, ...(id !== undefined && { id }), ...toldOf(error).body };
}

function refused(line: number, limit: number): object {
  return { line, ...toldOf(tooLarge(limit)).body };
}

/** The lines of each chunk; blank ones are skipped. Between chunks others have their turn. */
async function* linesIn(
  body: Readable,
  { body: longest, batch, receiving }: Serving['settings']['limits'],
  stopping: AbortSignal,
): AsyncGenerator<readonly RawRecord[]> {
  const splitter = new LineSplitter(longest);
  let size = 0;
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const { done, value } = await within(chunks.next(), receiving, stopping);
    if (done) break;
    size += value.length;
    yield splitter.push(value).filter(isUsed);
    if (size > batch) throw tooLarge(batch);
    await setImmediate();
  }
  yield splitter.end().records.filter(isUsed);
}

function isUsed({ bytes }: RawRecord): boolean {
  return bytes === undefined || bytes.length >= 64 || Buffer.from(bytes).toString().trim() !== '';
}

function within<Result>(coming: Promise<Result>, time: number, stopping: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(late);
      stopping.removeEventListener('abort', stop);
    };
    const refuse = (error: unknown) => {
      leave();
      reject(error);
    };
    const stop = () => refuse(new ServiceError(503, 'CLOSING', 'the service is being stopped; the rest was not read'));
    const late = setTimeout(() => refuse(tooLate()), time);
    stopping.addEventListener('abort', stop, { once: true });
    coming.then(result => {
      leave();
      resolve(result);
    }, refuse);
    if (stopping.aborted) stop();
  });
}
