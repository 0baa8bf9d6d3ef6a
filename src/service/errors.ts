/** Whatever went wrong → a status and `{ error: { code, message, field? } }`. */
import type { FastifyError, FastifySchemaValidationError } from 'fastify';
import { type ErrorCode, NeardupError } from '../errors.ts';
import { nearestName } from '../options.ts';

export interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly field?: string };
}

/** An error of the service itself. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  /** Seconds after which it may be better. */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, message: string, more: { field?: string; retryAfter?: number } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = more.field;
    this.retryAfter = more.retryAfter;
  }
}

const statuses: Partial<Record<ErrorCode, number>> = {
  BAD_OPTION: 400,
  BAD_COMBINATION: 400,
  BAD_DOCUMENT: 400,
  UNKNOWN_ID: 404,
  NOT_STORED: 404,
  ID_TAKEN: 409,
  READ_ONLY: 403,
  INDEX_UNREACHABLE: 503,
  INDEX_BUSY: 503,
  INDEX_CLOSED: 503,
};

/** Of errors that fastify finds, the names we give them. */
const codes: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
};
const KINDS = 'the content type must be application/json, or application/x-ndjson for a batch';

export interface Told {
  readonly status: number;
  readonly body: ErrorBody;
  readonly retryAfter?: number | undefined;
}

/** An error that is nobody's fault outside is told without what it says: that is for the log. */
export function toldOf(error: unknown): Told {
  if (error instanceof ServiceError) {
    const { status, code, message, field, retryAfter } = error;
    return { status, body: bodyOf(code, message, field), retryAfter };
  }
  if (error instanceof NeardupError) {
    const { code, message, place } = error;
    const status = statuses[code] ?? 500;
    const field = place.field ?? place.option;
    const retryAfter = status === 503 ? 1 : undefined;
    return { status, body: bodyOf(code, message, typeof field === 'string' ? field : undefined), retryAfter };
  }
  const { validation, statusCode = 500, code, message } = error as FastifyError;
  if (validation?.[0]) return { status: 400, body: invalid(validation[0]) };
  if (statusCode === 415) return { status: 415, body: bodyOf('UNSUPPORTED_MEDIA_TYPE', KINDS) };
  if (statusCode >= 400 && statusCode < 500)
    return { status: statusCode, body: bodyOf(codes[code] ?? 'BAD_REQUEST', message) };
  return { status: 500, body: bodyOf('INTERNAL', 'something went wrong in the service; its log has the request id') };
}

export function bodyOf(code: string, message: string, field?: string): ErrorBody {
  return { error: { code, message, ...(field !== undefined && { field }) } };
}

interface Checked extends FastifySchemaValidationError {
  readonly parentSchema?: { readonly properties?: object };
}

/** A field is named as it stands in the request: `a.text`, `results.0`. */
function invalid({ keyword, instancePath, params, message, parentSchema }: Checked): ErrorBody {
  const path = instancePath.split('/').slice(1).map(decodePointer);
  const at = (name: unknown) => [...path, String(name)].join('.');
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    const nearest = nearestName(name, Object.keys(parentSchema?.properties ?? {}));
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return bodyOf('UNKNOWN_FIELD', `${at(name)} is not a field of this request${hint}`, at(name));
  }
  if (keyword === 'required')
    return bodyOf('BAD_REQUEST', `${at(params.missingProperty)} is missing`, at(params.missingProperty));
  const field = path.join('.');
  const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : '';
  return bodyOf('BAD_REQUEST', `${field || 'the request'} ${message}${allowed}`, field || undefined);
}

function decodePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
