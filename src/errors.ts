/** Error code and place → one clear line, and the exit code that goes with it. */

interface Place {
  BAD_OPTION: { option: string; expected: string; got: unknown; nearest?: string | undefined };
  BAD_COMBINATION: { what: string; why: string };
  BAD_INPUT: { file: string; reason: string };
  BAD_LINE: { file: string; line: number; reason: string };
  DAMAGED: { file: string; line: number; reason: string; readable: number };
  BAD_DOCUMENT: { id?: string; reason: string; field?: string };
  BAD_SKETCH: { reason: string };
  SKETCH_MISMATCH: { differences: readonly string[] };
  NO_ESTIMATE: { reason: string };
  MISSING_PACKAGE: { name: string; need: string };
  CANNOT_READ: { file: string; reason: string };
  CANNOT_WRITE: { file: string; reason: string };
  SAFETY_BRAKE: { reason: string };
  TOO_MANY_PAIRS: { count: number; isWritten: boolean; threshold: string; maxPairs: string };
  NO_INDEX: { index: string };
  INDEX_UNFINISHED: { index: string };
  INDEX_OPTIONS: { index: string; differences: readonly string[] };
  INDEX_BUSY: { index: string; holder: string };
  INDEX_DAMAGED: { index: string; what: string };
  INDEX_UNREACHABLE: { index: string; reason: string };
  INDEX_CLOSED: { index: string };
  READ_ONLY: { index: string };
  ID_TAKEN: { id: string };
  CANNOT_LISTEN: { address: string; reason: string };
  UNKNOWN_ID: { id: string };
  NOT_STORED: { id: string; status: string; of?: string };
  NO_SPARK: { reason: string };
  SPARK_FAILED: { stage: string; reason: string };
}

export type ErrorCode = keyof Place;

const messages: { [Code in ErrorCode]: (place: Place[Code]) => string } = {
  BAD_OPTION: ({ option, expected, got, nearest }) =>
    `${option} must be ${expected}, got ${show(got)}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
  BAD_COMBINATION: ({ what, why }) => `${what}: ${why}`,
  BAD_INPUT: ({ file, reason }) => `${file}: ${reason}`,
  BAD_LINE: ({ file, line, reason }) => `${file}:${line}: ${reason}`,
  DAMAGED: ({ file, line, reason, readable }) =>
    `${file}:${line}: ${reason}; documents readable before it: ${readable}; ` +
    `--damaged skip goes on with ${readable === 0 ? 'the other files' : 'those'}`,
  BAD_DOCUMENT: ({ id, reason }) => (id === undefined ? reason : `document ${JSON.stringify(id)}: ${reason}`),
  BAD_SKETCH: ({ reason }) => `not a sketch this version can read: ${reason}`,
  SKETCH_MISMATCH: ({ differences }) => `these sketches cannot be compared: ${differences.join('; ')}`,
  NO_ESTIMATE: ({ reason }) => `no estimate: ${reason}`,
  MISSING_PACKAGE: ({ name, need }) => `${need} needs the package ${name}: npm install ${name}`,
  CANNOT_READ: ({ file, reason }) => `cannot read ${file}: ${reason}`,
  CANNOT_WRITE: ({ file, reason }) => `cannot write ${file}: ${reason}`,
  SAFETY_BRAKE: ({ reason }) => `stopped by the safety brake: ${reason}; nothing was written`,
  TOO_MANY_PAIRS: ({ count, isWritten, threshold, maxPairs }) =>
    `stopped after ${count.toLocaleString('en')} ${count === 1 ? 'pair' : 'pairs'}, and there are more: ` +
    `${isWritten ? 'the list is not complete' : 'nothing was written'}; raise ${threshold}, or allow more with ${maxPairs}`,
  NO_INDEX: ({ index }) => `there is no index in ${index}`,
  INDEX_UNFINISHED: ({ index }) =>
    `the index ${index} is unfinished: making it was interrupted; \`index add\` or \`filter\` completes it`,
  INDEX_OPTIONS: ({ index, differences }) => `the index ${index} was made with ${differences.join('; ')}`,
  INDEX_BUSY: ({ index, holder }) => `the index ${index} is being written by ${holder}; others can only read it`,
  INDEX_DAMAGED: ({ index, what }) => `the index ${index} is damaged: ${what}`,
  INDEX_UNREACHABLE: ({ index, reason }) => `the index ${index} cannot be reached: ${reason}`,
  INDEX_CLOSED: ({ index }) => `the index ${index} is closed`,
  READ_ONLY: ({ index }) => `the index ${index} was opened for reading only`,
  ID_TAKEN: ({ id }) => `document ${JSON.stringify(id)}: its id is known with another text`,
  CANNOT_LISTEN: ({ address, reason }) => `cannot listen on ${address}: ${reason}`,
  UNKNOWN_ID: ({ id }) => `the index has no document ${JSON.stringify(id)}`,
  NOT_STORED: ({ id, status, of }) =>
    `of document ${JSON.stringify(id)} only its verdict is kept: ${status}${of === undefined ? '' : ` of ${JSON.stringify(of)}`}`,
  NO_SPARK: ({ reason }) => reason,
  SPARK_FAILED: ({ stage, reason }) => `Spark failed (${stage}): ${reason}`,
};

/** Wrong usage (2) and a limit that stopped the run (3) have exit codes of their own; other failures have 1. */
const exitCodes: { readonly [Code in ErrorCode]?: 2 | 3 } = {
  BAD_OPTION: 2,
  BAD_COMBINATION: 2,
  SAFETY_BRAKE: 3,
  TOO_MANY_PAIRS: 3,
};

export class NeardupError extends Error {
  override readonly name = 'NeardupError';
  readonly code: ErrorCode;
  readonly place: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, place: object, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.place = Object.freeze({ ...place });
  }

  get exitCode(): 1 | 2 | 3 {
    return exitCodes[this.code] ?? 1;
  }
}

export function fail<Code extends ErrorCode>(code: Code, place: Place[Code], cause?: unknown): never {
  throw new NeardupError(code, messages[code](place), place, cause);
}

/** An error as it is sent between threads and processes. A structured clone of the error itself would lose its code. */
export interface Failure {
  readonly code?: ErrorCode;
  readonly message: string;
  readonly place: object;
  readonly cause?: unknown;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof NeardupError))
    return { message: String((error as Error)?.message ?? error), place: {}, cause: error };
  const { code, message, place } = error;
  return { code, message, place };
}

export function errorOf({ code, message, place, cause }: Failure): Error {
  return code ? new NeardupError(code, message, place) : new Error(message, { cause });
}

/** A value as an error names it: a string in quotes, so that '8' and 8 differ, cut if long. */
function show(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
