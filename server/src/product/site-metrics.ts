// Metrics of the site in /metrics, in addition to those of requests: jobs, disk, backups, moderation, version.
import path from 'node:path';
import type { Database } from '#/host/db/database.ts';
import type { SiteMetric } from '#/host/gateway/metrics-registry.ts';
import { freeBytes } from '#/host/lib/disk.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { secondsSinceBackup } from '#/product/check-results.ts';
import { currentVersion } from '#/product/identity.ts';

interface MetricParts {
  database: Database;
  dataDir: string;
  connections(): number;
  databaseRestarts(): number;
}

interface Row {
  value: number;
  type: string;
  state: string;
}

/** All metrics of the site; docs/deploy.md lists them. */
export function siteMetrics(parts: MetricParts): SiteMetric[] {
  const { pool } = parts.database;
  const now = (value: number) => Promise.resolve([{ value }]);

  /** A metric from an SQL query. Each row is a sample; the columns other than the value are its labels. */
  const fromRows = (
    name: string,
    help: string,
    labelNames: (keyof Row & string)[],
    sql: string,
  ): SiteMetric => ({
    name,
    help,
    labelNames,
    async read() {
      const { rows } = await pool.query<Row>(sql);
      return rows.map((row) => ({
        value: row.value,
        labels: Object.fromEntries(labelNames.map((label) => [label, String(row[label])])),
      }));
    },
  });

  return [
    {
      name: 'packpark_info',
      help: 'Always 1; the label says which version runs',
      labelNames: ['version'],
      read: () => Promise.resolve([{ value: 1, labels: { version: currentVersion() } }]),
    },
    fromRows(
      'packpark_jobs',
      'Jobs of the queue by type and state; send-mail are mails, send-push pushes, dead ones were given up',
      ['type', 'state'],
      `select type, case when failed_at is not null then 'dead' when lease is not null then 'running'
         when error is not null then 'failing' else 'waiting' end as state, count(*)::float8 as value
       from private.jobs group by 1, 2`,
    ),
    fromRows(
      'packpark_jobs_late_seconds',
      'For how long the oldest due job of a type has waited for a host',
      ['type'],
      `select type, greatest(0, extract(epoch from now() - min(due_at)))::float8 as value
       from private.jobs where failed_at is null and due_at <= now() group by type`,
    ),
    {
      name: 'packpark_backup_age_seconds',
      help: 'Seconds since the last backup of this database ended; absent where there was none',
      async read() {
        const value = await secondsSinceBackup(pool);
        return value === null ? [] : [{ value }];
      },
    },
    fromRows(
      'packpark_moderation_waiting',
      'What waits for moderators',
      ['type'],
      `select type, count(*)::float8 as value from private.waiting_items() group by type`,
    ),
    fromRows(
      'packpark_moderation_oldest_seconds',
      'For how long the oldest of it has waited',
      ['type'],
      `select type, extract(epoch from now() - min(since))::float8 as value from private.waiting_items() group by type`,
    ),
    {
      name: 'packpark_free_bytes',
      help: 'Free space where DATA_DIR lies',
      read: async () => now(await freeBytes(path.resolve(ROOT, parts.dataDir))),
    },
    {
      name: 'packpark_realtime_connections',
      help: 'Sockets of clients on this host',
      read: () => now(parts.connections()),
    },
    {
      name: 'packpark_database_restarts',
      help: 'How often the built-in database ended by itself and was started again',
      read: () => now(parts.databaseRestarts()),
    },
  ];
}
