/** The part of the address behind # ↔ what is shown: `#/tune?threshold=0.8`. It never holds a text or a key. */
import { signal } from '@preact/signals';

export type Params = Readonly<Record<string, string>>;

export interface Route {
  /** `#/clusters/a%2Fb` → clusters, a/b */
  readonly path: readonly string[];
  readonly params: Params;
}

export const route = signal<Route>(readRoute(globalThis.location?.hash ?? ''));

globalThis.addEventListener?.('hashchange', () => {
  route.value = readRoute(location.hash);
});

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    params: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Params that are undefined or empty are left out. */
export function href(path: readonly string[], params: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const text = query.toString();
  return `#/${path.map(encoded).join('/')}${text && `?${text}`}`;
}

/** Changes params of the view, without a step in the browser's history. */
export function setParams(changed: Readonly<Record<string, string | undefined>>): void {
  const { path, params } = route.peek();
  history.replaceState(history.state, '', href(path, { ...params, ...changed }));
  route.value = readRoute(location.hash);
}

export function go(path: readonly string[], params?: Readonly<Record<string, string | undefined>>): void {
  location.hash = href(path, params);
}

/** Half a surrogate pair has no place in an address, and would throw. */
function encoded(part: string): string {
  return encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
