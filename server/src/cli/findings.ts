// What a command that looks at things finds: sentences, and an exit code for what keeps Packpark from working.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';
import type { Finding } from '#/product/findings.ts';

export const GIGABYTE = 2 ** 30;

export type Check = () => Promise<Finding[]>;

/** Runs checks one after the other; one that fails is a finding itself. */
export async function collect(checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks)
    findings.push(...(await check().catch((error: Error): Finding[] => [['bad', error.message]])));
  return findings;
}

/** Prints what checks find, as soon as it is found. `otherwise`: what is said at the end where something is bad. Throws StartError then. */
export async function report(checks: readonly Check[], otherwise: string): Promise<void> {
  let bad = false;
  for (const check of checks)
    for (const [kind, sentence] of await collect([check])) {
      console.log(`${kind.padEnd(6)}${sentence}`);
      bad ||= kind === 'bad';
    }
  if (bad) throw new StartError(otherwise);
}

export async function findBuild(): Promise<Finding[]> {
  const index = await stat(path.join(ROOT, 'app/dist/index.html')).catch(() => null);
  return [
    index ? ['ok', 'The app is built.'] : ['bad', 'The app is not built: run npm run build.'],
  ];
}

/** Hours since the last backup of a database ended; null where none was made. */
export async function hoursSinceBackup(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ hours: number }>(
    `select floor(extract(epoch from now() - done_at) / 3600)::integer as hours from private.jobs
     where kind = 'backup' and done_at is not null`,
  );
  return rows[0]?.hours ?? null;
}
