/** Calls of the pages → requests to /v1, with the key if the service asks for one. */
import { signal } from '@preact/signals';
import type { CompareOptions } from '../compare/types.ts';
import type {
  Boilerplate,
  ClusterPage,
  Decision,
  FoundDocument,
  IndexHistogram,
  MeasuredRecall,
  ServiceCluster,
  ServiceDocument,
  ServicePairs,
  Stats,
  Verdict,
} from './types.ts';

/** Unknown until the first answer. The static site has none. */
export const presence = signal<'unknown' | 'there' | 'locked' | 'absent'>(__SITE__ ? 'absent' : 'unknown');

/** How the index compares: what the pages compare with, too. */
export const indexOptions = signal<CompareOptions & { threshold: number; measure: string }>({
  threshold: 0.8,
  shingle: 'word:5',
  measure: 'resemblance',
});

/** In memory only: it is gone with the page, and never in an address. */
const key = signal('');

export class ServiceError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function unlock(given: string): Promise<void> {
  key.value = given;
  await findService();
}

/** Is there a service behind these pages, and does it want a key? */
export async function findService(): Promise<void> {
  if (__SITE__) return;
  try {
    const { options } = await getStats();
    indexOptions.value = {
      threshold: Number(options.threshold ?? 0.8) || 0.8,
      shingle: isShingle(options.shingle) ? options.shingle : 'word:5',
      measure: String(options.measure ?? 'resemblance'),
    };
    presence.value = 'there';
  } catch (error) {
    presence.value = error instanceof ServiceError && error.status === 401 ? 'locked' : 'absent';
  }
}

function isShingle(given: unknown): given is CompareOptions['shingle'] {
  return /^(word|char):\d+$/.test(String(given));
}

type Query = Readonly<Record<string, string | number | undefined>>;

export const getStats = (signal?: AbortSignal) => request<Stats>('GET', '/stats', { signal });

export const getHistogram = (signal?: AbortSignal) => request<IndexHistogram>('GET', '/histogram', { signal });

export const getRecall = (signal?: AbortSignal) => request<MeasuredRecall>('GET', '/recall', { signal });

export const getDocument = (id: string, signal?: AbortSignal) =>
  request<ServiceDocument>('GET', `/documents/${segment(id)}`, { signal });

export const listDocuments = (query: Query, signal?: AbortSignal) =>
  request<{ documents: readonly Verdict[]; next?: string }>('GET', '/documents', { query, signal });

export const addDocument = (document: ServiceDocument, dryRun = false) =>
  request<Verdict>('POST', '/documents', { query: dryRun ? { dryRun: 'true' } : {}, body: document });

export const search = (
  query: { text?: string; id?: string; threshold?: number; limit?: number; measure?: string },
  signal?: AbortSignal,
) => request<{ results: readonly FoundDocument[] }>('POST', '/search', { body: query, signal });

export const getBoilerplate = (id: string, signal?: AbortSignal) =>
  request<Boilerplate>('POST', '/boilerplate', { body: { id }, signal });

export const listClusters = (query: Query, signal?: AbortSignal) =>
  request<ClusterPage>('GET', '/clusters', { query, signal });

export const getCluster = (id: string, signal?: AbortSignal) =>
  request<ServiceCluster>('GET', `/clusters/${segment(id)}`, { signal });

/** `tree`: only the strongest links that connect all. */
export const getPairs = (id: string, query: { limit: number; tree?: 'true' }, signal?: AbortSignal) =>
  request<ServicePairs>('GET', `/clusters/${segment(id)}/pairs`, { query, signal });

export const addDecision = (decision: Decision) => request<Decision>('POST', '/decisions', { body: decision });

export async function listDecisions(signal?: AbortSignal): Promise<Decision[]> {
  const response = await send('GET', '/decisions', { signal });
  const lines = (await response.text()).split('\n').filter(line => line.trim() !== '');
  return lines.map(line => JSON.parse(line) as Decision);
}

interface Sending {
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

async function request<Answer>(method: string, path: string, sending: Sending): Promise<Answer> {
  return (await (await send(method, path, sending)).json()) as Answer;
}

async function send(method: string, path: string, { query = {}, body, signal }: Sending): Promise<Response> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  const response = await fetch(`/v1${path}${text && `?${text}`}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key.value === '' ? {} : { authorization: `Bearer ${key.value}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: Error) => {
    // Browsers say no more than that it failed.
    throw error.name === 'AbortError'
      ? error
      : new ServiceError(0, 'The service does not answer. Is it still running?');
  });
  if (response.ok) return response;
  if (response.status === 401) presence.value = 'locked';
  throw new ServiceError(response.status, await messageOf(response));
}

async function messageOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: { message?: string } };
    if (error?.message) return error.message;
  } catch {
    // Not JSON: a proxy, or another server.
  }
  return `The service answered ${response.status}.`;
}

/** Half a surrogate pair has no place in an address. */
function segment(id: string): string {
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'));
}
