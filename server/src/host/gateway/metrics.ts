// What Prometheus may ask: requests by service, times, and the process's own figures; no path and no person in any label.
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '#/host/db/database.ts';

export interface Metrics {
  /** Records one answer; `service` is the route's prefix, `seconds` the time it took. */
  observe(service: string, status: number, seconds: number): void;
  /** Adds the figures of the pool once there is one. */
  watch(database: Database): void;
  /** The Prometheus text format. */
  text(): Promise<{ body: string; type: string }>;
}

/** A registry of its own for each host, so that several may run in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'packpark_request_seconds',
    help: 'Time to answer a request, by service and class of status',
    labelNames: ['service', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  return {
    observe(service, status, seconds) {
      requests.observe({ service, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    watch({ pool }) {
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
    async text() {
      return { body: await registry.metrics(), type: registry.contentType };
    },
  };
}
