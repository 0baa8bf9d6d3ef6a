/** Calls to a worker and its answers, matched by number: the messages on the way between page and worker. */

/** What a worker can be asked: arguments, answer, and what it tells meanwhile. */
export type Api = Readonly<Record<string, { args: unknown; reply: unknown; event?: unknown }>>;

export interface CallMessage {
  readonly number: number;
  readonly name: string;
  readonly args: unknown;
}

export type WorkerMessage =
  | { readonly number: number; readonly event: unknown }
  | { readonly number: number; readonly reply: unknown }
  | { readonly number: number; readonly error: string };

export type Handlers<A extends Api> = {
  readonly [Name in keyof A]: (
    args: A[Name]['args'],
    emit: (event: A[Name]['event']) => void,
  ) => A[Name]['reply'] | Promise<A[Name]['reply']>;
};

/** In the worker: answers every call, and tells errors as one line. */
export function serve<A extends Api>(handlers: Handlers<A>): void {
  self.onmessage = async ({ data }: MessageEvent<CallMessage>) => {
    const { number, name, args } = data;
    const post = (message: WorkerMessage) => self.postMessage(message);
    try {
      const reply = await handlers[name as keyof A](args, event => post({ number, event }));
      post({ number, reply });
    } catch (error) {
      post({ number, error: error instanceof Error ? error.message : String(error) });
    }
  };
}
