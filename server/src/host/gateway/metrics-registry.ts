// Metrics for Prometheus: requests and durations by service, and the process's own metrics. Labels contain neither paths nor users.
import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '#/host/db/database.ts';

export interface SiteMetric {
  name: string;
  help: string;
  /** The label names of all samples; none by default. */
  labelNames?: string[];
  read(): Promise<{ value: number; labels?: Record<string, string> }[]>;
}

/** Metrics that take longer are omitted, so that the others are available when the database does not respond. */
const READ_TIMEOUT_MS = 3000;

/** Creates a separate registry for each host, so that several hosts can run in one process. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'packpark_request_seconds',
    help: 'Duration of requests, by service and class of status',
    labelNames: ['service', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  return {
    /**
     * Records one response.
     * @param service the route's prefix
     * @param seconds the duration
     */
    observe(service: string, status: number, seconds: number): void {
      requests.observe({ service, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    /** Adds the metrics of the connection pool, which is created later than the registry. */
    watch({ pool }: Database): void {
      new Gauge({
        name: 'packpark_database_connections',
        help: 'Connections of the pool, by state',
        labelNames: ['state'] as const,
        registers: [registry],
        collect() {
          this.set({ state: 'idle' }, pool.idleCount);
          this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
          this.set({ state: 'waiting' }, pool.waitingCount);
        },
      });
    },
    /** Adds a metric whose value is read at each request of /metrics. It is omitted if it cannot be read in time. */
    add({ name, help, labelNames = [], read }: SiteMetric): void {
      new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        async collect() {
          const late = delay(READ_TIMEOUT_MS, null, { ref: false });
          const samples = await Promise.race([read().catch(() => null), late]);
          this.reset();
          // A reset sets a metric without labels to 0, so a metric that could not be read is removed.
          if (!samples?.length && labelNames.length === 0) this.remove();
          for (const { labels = {}, value } of samples ?? []) this.set(labels, value);
        },
      });
    },
    async text() {
      return { body: await registry.metrics(), type: registry.contentType };
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
