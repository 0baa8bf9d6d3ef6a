/** What happens → JSON lines. No text of a document, no query and no key is among them. */

export interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type LogStream = Pick<NodeJS.WritableStream, 'write'>;

/** The numbers that tools for logs know. */
const INFO = 30;
const ERROR = 50;

export function createLog(stream: LogStream): Log {
  let lines = '';
  const flush = () => {
    stream.write(lines);
    lines = '';
  };
  // Lines of one turn of the event loop are written at once: each write is a system call.
  const write = (level: number, fields: object, msg: string) => {
    if (lines === '') setImmediate(flush);
    lines += `${JSON.stringify({ level, time: timeNow(), name: 'neardup', ...fields, msg })}\n`;
  };
  return {
    info: (fields, message) => write(INFO, fields, message),
    error: (fields, message) => write(ERROR, fields, message),
  };
}

let milliseconds = 0;
let text = '';

/** ISO 8601. Many requests are answered in the same millisecond, and making the text takes longer than the rest of a line. */
function timeNow(): string {
  const now = Date.now();
  if (now === milliseconds) return text;
  milliseconds = now;
  text = new Date(now).toISOString();
  return text;
}
