/** What happens → JSON lines. No text of a document, no query and no key is among them. */
import { type Logger, pino } from 'pino';

export type Log = Logger;
export type LogStream = Pick<NodeJS.WritableStream, 'write'>;

export function createLog(stream: LogStream): Log {
  let lines = '';
  const flush = () => {
    stream.write(lines);
    lines = '';
  };
  // Lines of one turn of the event loop are written at once: a write is a call of the system.
  const write = (line: string) => {
    if (lines === '') setImmediate(flush);
    lines += line;
  };
  return pino({ base: { name: 'neardup' }, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}
