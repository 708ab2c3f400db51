// Benchmark: the first start on an empty disk, later starts, and a start that includes a build, until the host responds. Control:
// an empty PostgreSQL alone.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startHostProcess, type HostProcess } from '../testing/host-process.ts';
import type { Result } from './goals.ts';
import { importServerCode, ROOT } from './lib/server-code.ts';
import { median, milliseconds, repeat } from './lib/statistics.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';
import type * as clusterModule from '../server/src/host/db/cluster.ts';
import type * as dataHomeModule from '../server/src/host/db/data-home.ts';

const seconds = async (work: () => Promise<unknown>) => (await milliseconds(work)) / 1000;

/** Starts the host with the script of `npm start`, waits until it is ready, and stops it. */
async function startOnce(dataDir: string) {
  let host: HostProcess | undefined;
  const time = await seconds(async () => {
    host = await startHostProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' }, [
      '--max-semi-space-size=2',
      '--v8-pool-size=1',
      'scripts/start.mjs',
    ]);
    if (!(await fetch(`${host.url}/readyz`)).ok) throw new Error('It listens and is not ready');
  });
  await host?.stop();
  return time;
}

export async function run(): Promise<Result | Result[]> {
  const folder = temporaryFolder();
  const { startCluster } = await importServerCode<typeof clusterModule>(
    'server/src/host/db/cluster.ts',
  );
  const { makeDataHome } = await importServerCode<typeof dataHomeModule>(
    'server/src/host/db/data-home.ts',
  );
  let cluster: Awaited<ReturnType<typeof startCluster>> | undefined;
  const control = await seconds(
    async () => (cluster = await startCluster(makeDataHome(path.join(folder, 'control')))),
  );
  await cluster?.stop();

  execFileSync('npm', ['run', '-s', 'build'], { cwd: ROOT });
  const data = path.join(folder, 'data');
  const first = await startOnce(data);
  const later = await repeat(3, () => startOnce(data));
  for (const built of ['app/dist', 'server/dist'])
    rmSync(path.join(ROOT, built), { recursive: true, force: true });
  const unbuilt = await startOnce(path.join(folder, 'unbuilt'));
  return [
    { goal: 'first start', figure: first, control },
    { goal: 'later start', figure: median(later), control },
    { goal: 'unbuilt start', figure: unbuilt, control },
  ];
}
