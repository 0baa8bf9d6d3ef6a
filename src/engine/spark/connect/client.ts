/** SQL → its rows, over the gRPC of a Spark Connect server. A stream that breaks is an error, never a shorter result. */
import { randomUUID } from 'node:crypto';
import type { ChannelCredentials, Metadata, ServiceError } from '@grpc/grpc-js';
import { fail } from '../../../errors.ts';
import { crc32 } from '../../../kernel/crc32.ts';
import { protocol } from './protocol.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface ConnectClient {
  /** Runs a statement; its rows come as they arrive. */
  rows(query: string, onTasks?: OnTasks): AsyncGenerator<Row>;
  /** The same, all at once: for few rows, or none. */
  sql(query: string, onTasks?: OnTasks): Promise<Row[]>;
  /** Names files as a view, read by one of Spark's readers. */
  view(name: string, source: Source): Promise<void>;
  /** Puts a file into the folder that workers of this session start in. */
  addFile(name: string, bytes: Uint8Array): Promise<void>;
  /** Ends what this session runs on the server; whoever waits for it gets an error. */
  interrupt(): Promise<void>;
  close(): Promise<void>;
}

/** Files as `spark.read` takes them. */
export interface Source {
  readonly format: string;
  /** `name TYPE, …`; found out by the reader if it is not given. */
  readonly schema?: string;
  readonly options: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}

/** Tasks of the statement that are done, of those known so far. */
export type OnTasks = (done: number, of: number) => void;

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly token?: string | undefined;
  readonly tls?: boolean | undefined;
}

const MOST_MESSAGE = 256 * 2 ** 20;
/** `INTERRUPT_TYPE_ALL` */
const ALL_OF_SESSION = 1;

interface Response {
  readonly arrow_batch?: { readonly row_count: number; readonly data: Uint8Array } | null;
  readonly execution_progress?: {
    readonly stages: readonly { num_tasks: number; num_completed_tasks: number }[];
  } | null;
}

interface Within {
  readonly deadline: number;
}

/** Milliseconds. Who wants to leave does not wait for a server that is gone. */
const LAST_WORDS = 30_000;

/** What the protocol makes of its description when it is loaded. */
interface ConnectService {
  ExecutePlan(request: object, metadata: Metadata): AsyncIterable<Response> & { cancel(): void };
  AddArtifacts(metadata: Metadata, onDone: (error: Error | null) => void): { end(artifacts: object): void };
  FetchErrorDetails(
    error: object,
    metadata: Metadata,
    onDone: (error: Error | null, found?: ErrorDetails) => void,
  ): void;
  Interrupt(what: object, metadata: Metadata, within: Within, onDone: () => void): void;
  ReleaseSession(session: object, metadata: Metadata, within: Within, onDone: () => void): void;
  close(): void;
}

interface Loaded {
  readonly spark: {
    readonly connect: {
      readonly SparkConnectService: new (
        address: string,
        credentials: ChannelCredentials,
        options: Readonly<Record<string, number>>,
      ) => ConnectService;
    };
  };
}

/** The last one is the cause of all others. */
interface ErrorDetails {
  readonly errors: readonly { readonly message: string }[];
}

export async function openConnect({ host, port, token, tls = false }: Address): Promise<ConnectClient> {
  const { grpc, loader, arrow } = await packages();
  const loaded = grpc.loadPackageDefinition(
    loader.fromJSON(protocol as never, { keepCase: true, longs: Number, defaults: true }),
  );
  const { SparkConnectService } = (loaded as unknown as Loaded).spark.connect;
  const service = new SparkConnectService(
    `${host}:${port}`,
    tls ? grpc.credentials.createSsl() : grpc.credentials.createInsecure(),
    {
      'grpc.max_receive_message_length': MOST_MESSAGE,
      'grpc.max_send_message_length': MOST_MESSAGE,
      // A server that is starting is asked again soon, not after pauses that grow to two minutes.
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 500,
    },
  );
  const metadata = new grpc.Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  const session = { session_id: randomUUID(), user_context: { user_id: 'neardup' } };

  async function* execute(plan: object, onTasks?: OnTasks): AsyncGenerator<Row> {
    const stream = service.ExecutePlan({ ...session, plan, client_type: 'neardup' }, metadata);
    try {
      for await (const { arrow_batch, execution_progress } of stream) {
        if (execution_progress) onTasks?.(...tasksIn(execution_progress.stages));
        if (!arrow_batch || arrow_batch.row_count === 0) continue;
        const table = arrow.tableFromIPC(arrow_batch.data);
        if (table.numRows !== arrow_batch.row_count)
          fail('SPARK_FAILED', { stage: 'result', reason: 'a batch of rows is not whole' });
        for (const row of table) yield row.toJSON();
      }
    } catch (error) {
      throw await withCause(error as ServiceError);
    } finally {
      stream.cancel();
    }
  }
  /** What Spark says first is often only that a task failed: why is asked for apart. */
  async function withCause(error: ServiceError): Promise<ServiceError> {
    const [status = ''] = error.metadata?.get('grpc-status-details-bin') ?? [];
    const error_id = /errorId\W+([\da-f-]{36})/.exec(status.toString('latin1' as never))?.[1];
    if (error_id === undefined) return error;
    const told = await new Promise<ErrorDetails | undefined>(resolve =>
      service.FetchErrorDetails({ ...session, error_id }, metadata, (_, found) => resolve(found)),
    );
    const cause = told?.errors.at(-1)?.message.split('\n', 1)[0] ?? '';
    if (!error.details.includes(cause)) error.details += `\nCaused by: ${cause}`;
    return error;
  }
  const rows = (query: string, onTasks?: OnTasks) => execute({ root: { sql: { query } } }, onTasks);
  const all = async (given: AsyncIterable<Row>) => {
    const found: Row[] = [];
    for await (const row of given) found.push(row);
    return found;
  };
  return {
    rows,
    sql: (query, onTasks) => all(rows(query, onTasks)),
    async view(name, source) {
      const input = { read: { data_source: source } };
      await all(execute({ command: { create_view: { input, name, replace: true } } }));
    },
    addFile: (name, bytes) =>
      new Promise((resolve, reject) => {
        const stream = service.AddArtifacts(metadata, error => (error ? reject(error) : resolve()));
        const data = { data: bytes, crc: crc32(bytes) };
        stream.end({ ...session, batch: { artifacts: [{ name: `files/${name}`, data }] } });
      }),
    interrupt: () =>
      new Promise(resolve =>
        service.Interrupt({ ...session, interrupt_type: ALL_OF_SESSION }, metadata, soon(), () => resolve()),
      ),
    async close() {
      await new Promise<void>(resolve => service.ReleaseSession(session, metadata, soon(), () => resolve()));
      service.close();
    },
  };
}

function soon(): Within {
  return { deadline: Date.now() + LAST_WORDS };
}

function tasksIn(stages: readonly { num_tasks: number; num_completed_tasks: number }[]): [number, number] {
  const sum = (of: 'num_tasks' | 'num_completed_tasks') => stages.reduce((total, stage) => total + stage[of], 0);
  return [sum('num_completed_tasks'), sum('num_tasks')];
}

/** They are optional dependencies: only runs on Spark need them. */
async function packages() {
  const need = '--engine spark';
  const missing = (name: string) => (cause: unknown) => fail('MISSING_PACKAGE', { name, need }, cause);
  return {
    grpc: await import('@grpc/grpc-js').catch(missing('@grpc/grpc-js')),
    loader: await import('@grpc/proto-loader').catch(missing('@grpc/proto-loader')),
    arrow: await import('apache-arrow').catch(missing('apache-arrow')),
  };
}
