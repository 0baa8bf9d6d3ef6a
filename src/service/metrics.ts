/** What happens in the service → Prometheus text. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Verdict } from '../store/record.ts';

export interface Metrics {
  /** `cut off`: the client was gone before the answer was. */
  request(method: string, route: string, status: number | 'cut off', seconds: number): void;
  verdict(status: Verdict['status']): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Seconds: from a search in memory to a document of many megabytes. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** `sizes` is asked when somebody reads the metrics. */
export function createMetrics(
  sizes: () => Promise<{ documents: number; verdicts: Readonly<Record<string, number>> } | undefined>,
): Metrics {
  const register = new Registry();
  // Among them the lag of the event loop, memory and garbage collection.
  collectDefaultMetrics({ register });
  const registers = [register];
  const requests = new Counter({
    name: 'neardup_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'neardup_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  });
  const verdicts = new Counter({
    name: 'neardup_verdicts_total',
    help: 'Verdicts given by this process',
    labelNames: ['status'],
    registers,
  });
  const documents = new Gauge({
    name: 'neardup_index_documents',
    help: 'Documents stored with their text',
    registers,
  });
  const known = new Gauge({
    name: 'neardup_index_verdicts',
    help: 'Ids the index knows',
    labelNames: ['status'],
    registers,
  });
  return {
    request: (method, route, status, seconds) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    verdict: status => verdicts.inc({ status }),
    contentType: register.contentType,
    async text() {
      const size = await sizes().catch(() => undefined);
      if (size) {
        documents.set(size.documents);
        for (const [status, count] of Object.entries(size.verdicts)) known.set({ status }, count);
      }
      return register.metrics();
    },
  };
}
