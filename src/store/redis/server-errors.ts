/** A store on Redis → the same; what Redis or the way to it says of a failure becomes one error that names the index. */
import { fail, NeardupError } from '../../errors.ts';
import type { Store } from '../contract.ts';
import { DamagedEntry } from '../record.ts';

/** In milliseconds. What waits in line when a server has gone away does not try, one after another, to find that out. */
const PAUSE = 1_000;

export function withServerErrors(store: Store, index: string): Store {
  let failed: { readonly error: NeardupError; readonly at: number } | undefined;
  const ask = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (failed && performance.now() - failed.at < PAUSE) throw failed.error;
    try {
      return await work();
    } catch (error) {
      const told = toldOf(error, index);
      if (told instanceof NeardupError && told.code === 'INDEX_UNREACHABLE')
        failed = { error: told, at: performance.now() };
      throw told;
    }
  };
  const asking = async function* <Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    const iterator = items[Symbol.asyncIterator]();
    for (;;) {
      const next = await ask(() => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  };
  return {
    exclusively: work => ask(() => store.exclusively(state => apart(() => work(state)))),
    state: () => ask(() => store.state()),
    find: keys => ask(() => store.find(keys)),
    read: numbers => ask(() => store.read(numbers)),
    lost: (numbers, keys) => ask(() => store.lost(numbers, keys)),
    apply: change => ask(() => store.apply(change)),
    membersOf: number => ask(() => store.membersOf(number)),
    groups: (from, limit) => ask(() => store.groups(from, limit)),
    entries: from => asking(store.entries(from)),
    decisions: {
      append: line => ask(() => store.decisions.append(line)),
      read: from => ask(() => store.decisions.read(from)),
    },
    check: () => asking(store.check()),
    size: () => ask(() => store.size()),
    backup: path => store.backup(path),
    compact: () => store.compact(),
    close: () => store.close(),
  };
}

/** The same of one call. */
export async function telling<Result>(index: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toldOf(error, index);
  }
}

/** What is done while nobody else writes has errors of its own. */
class WorkFailed extends Error {}

async function apart<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new WorkFailed('', { cause: error });
  }
}

/** What is no failure of Redis stays as it is. */
function toldOf(error: unknown, index: string): unknown {
  if (error instanceof WorkFailed) return error.cause;
  if (error instanceof NeardupError || error instanceof DamagedEntry) return error;
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof SyntaxError) return error;
  return errorOf(() => (error.name === 'ReplyError' ? failReply(error, index) : failConnection(error, index)));
}

function failReply(error: Error, index: string): never {
  const { message } = error;
  // In a script it stands somewhere in the middle.
  if (/\bOOM\b/.test(message))
    fail('CANNOT_WRITE', { file: index, reason: `its server has no memory left (${message})` }, error);
  if (/^(READONLY|MISCONF|NOREPLICAS)\b/.test(message)) fail('CANNOT_WRITE', { file: index, reason: message }, error);
  const [, refusal] = refusals.find(([word]) => message.startsWith(word)) ?? [];
  return fail('INDEX_UNREACHABLE', { index, reason: refusal ?? `its server says ${message}` }, error);
}

/** Redis says it at length. */
const refusals = [
  ['NOAUTH', 'its server wants a password'],
  ['WRONGPASS', 'its server refuses the user or the password'],
] as const;

function failConnection(error: Error, index: string): never {
  const { message } = error;
  const reason = LOST.test(message) ? 'the connection to its server is lost' : message;
  return fail('INDEX_UNREACHABLE', { index, reason }, error);
}

const LOST = /max retries|connection (is )?close|redirections|isn't (ready|writeable)/i;

function errorOf(failing: () => never): unknown {
  try {
    return failing();
  } catch (error) {
    return error;
  }
}
