// The embedded PostgreSQL, which listens only on a private socket and is restarted after crashes.
import { spawn, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { postgresBinaries } from '#/host/db/binaries.ts';
import {
  dataVersion,
  isAlive,
  removeStalePidFile,
  runningServer,
  socketFolder,
} from '#/host/db/cluster-files.ts';
import { clusterFolder, type DataHome } from '#/host/db/data-home.ts';
import { makeCluster } from '#/host/db/make-cluster.ts';
import { StartError } from '#/host/lib/start-error.ts';

/**
 * Number of the advisory lock that the process running the cluster holds. It distinguishes a running host from a database that a
 * killed host left behind.
 */
export const OWNER_LOCK = 7_276_002;
const START_TIMEOUT_MS = 30_000;
/** PostgreSQL may need this long to notice that a host was killed. */
const LOCK_TIMEOUT_MS = 5_000;
/** Maximum wait for a stopping server to print its reason. */
const EXIT_REASON_TIMEOUT_MS = 5_000;
const RESTARTS = 5;

export interface ClusterOptions {
  /** The folder of the operator's PostgreSQL binaries; by default those of npm are used. */
  binaries?: string | undefined;
  /** Server settings that override the defaults, such as `fsync: 'off'` in tests. */
  settings?: Record<string, string>;
  /** Called with a message after the server crashed and is restarted. */
  onRestart?(sentence: string): void;
  onLost?(error: Error): void;
}

interface Cluster {
  /** Returns a `pg` connection string for the private socket. */
  connectionString: (database: string) => string;
  /** Creates a database if it does not exist. */
  ensureDatabase: (name: string) => Promise<void>;
  restarts: () => number;
  stop: () => Promise<void>;
}

/** Settings for one small machine. The settings for durability keep PostgreSQL's defaults. */
function serverSettings(): Record<string, string> {
  const megabytes = os.totalmem() / 2 ** 20;
  const buffers = Math.round(Math.min(256, Math.max(32, megabytes / 16)));
  return {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${Math.round(megabytes / 2)}MB`,
    random_page_cost: '1.1',
    // Compressing the WAL took a quarter of the processor time of a writing call, although the random keys in it do not compress.
    wal_compression: 'off',
    checkpoint_timeout: '15min',
    // Our statements are short, so just-in-time compilation costs more than it saves.
    jit: 'off',
    idle_in_transaction_session_timeout: '60s',
    // A statement in the log could contain personal data.
    log_min_error_statement: 'panic',
  };
}

/**
 * Returns the connection string of a database of the embedded server.
 * @param socket the folder of the server's socket
 */
export const socketConnection = (socket: string, database: string): string =>
  `postgresql://postgres@/${database}?host=${encodeURIComponent(socket)}`;

/** @param output of a PostgreSQL that did not start */
export const startFailure = (output: string, folder: string): string =>
  /No space left on device/.test(output)
    ? `There is no room left on the disk of ${folder}, so the database does not start: delete old archives and ".replaced-…" folders.`
    : `PostgreSQL did not start: ${output.trim().replace(/\s*\n\s*/g, ' ') || 'it printed nothing'} (if its files are damaged, restore a backup with --replace)`;

/** Retries while `attempt` returns undefined. Returns its result, or null after `milliseconds`. */
async function retry<Result>(milliseconds: number, attempt: () => Promise<Result | undefined>) {
  const deadline = Date.now() + milliseconds;
  do {
    const result = await attempt();
    if (result !== undefined) return result;
    await delay(20);
  } while (Date.now() < deadline);
  return null;
}

/**
 * Connects as soon as the server accepts connections.
 * @param socketNow returns the folder of the server's socket at each attempt: empty if it is not known yet, null if the server has
 * ended
 */
const connectWhenUp = (socketNow: () => string | null): Promise<pg.Client | null> =>
  retry(START_TIMEOUT_MS, async () => {
    const socket = socketNow();
    if (socket === null) return null;
    if (socket === '') return undefined;
    const client = new pg.Client({
      connectionString: socketConnection(socket, 'postgres'),
      application_name: ownerName(process.pid),
    });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client,
      () => undefined,
    );
  });

/** The name of the connection that holds the lock. It contains the process ID of the host. */
const ownerName = (pid: number) => `packpark host ${pid}`;

/** Returns true if the process that holds the lock is running. A process in another container counts as not running. */
async function ownerLives(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objid = $1`,
    [OWNER_LOCK],
  );
  const pid = Number(/^packpark host (\d+)$/.exec(rows[0]?.name ?? '')?.[1]);
  // In a container, an earlier process may have had the process ID of this one.
  return pid > 0 && pid !== process.pid && isAlive(pid);
}

/** Takes the lock, and waits until PostgreSQL has noticed that a killed host is gone. */
const takeLockOfDead = async (client: pg.Client): Promise<boolean> =>
  (await retry(LOCK_TIMEOUT_MS, async () => {
    if (await takeLock(client)) return true;
    return (await ownerLives(client)) ? false : undefined;
  })) ?? false;

/**
 * Takes the owner's lock. Returns false if another process holds it.
 * @throws if the connection ended
 */
async function takeLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_lock($1) as free',
    [OWNER_LOCK],
  );
  return rows[0]?.free ?? false;
}

function stopServer(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Stops a server that a killed host left behind. A server whose host is running is not stopped. */
async function endOrphan(data: string, folder: string): Promise<void> {
  const running = runningServer(data);
  if (!running) {
    removeStalePidFile(data);
    return;
  }
  // A starting server writes its process ID slightly before the folder of its socket.
  const client = await connectWhenUp(() => runningServer(data)?.socket ?? null);
  if (client) {
    const orphan = await takeLockOfDead(client).catch(() => true);
    if (!orphan) {
      await client.end();
      throw new StartError(
        `Packpark already runs on the data in ${folder} (its database is process ${running.pid}): stop it first, or choose another DATA_DIR.`,
      );
    }
    stopServer(running.pid);
    await client.end().catch(() => undefined);
  }
  const isGone = () => Promise.resolve(runningServer(data) ? undefined : true);
  if (!(await retry(START_TIMEOUT_MS, isGone)))
    throw new StartError(
      `An earlier database (process ${running.pid}) still holds the data in ${folder} and does not stop: end it, then start again.`,
    );
}

const isRunning = (child: ChildProcess | null): child is ChildProcess =>
  child !== null && child.exitCode === null && child.signalCode === null;

/**
 * Runs the server of a data folder and restarts it after a crash.
 * @throws StartError if it does not start
 */
async function keepRunning(
  program: string,
  home: DataHome,
  socket: string,
  options: ClusterOptions,
): Promise<Cluster> {
  let server: ChildProcess | null = null;
  /** The connection that holds the owner's lock. */
  let guardian: pg.Client | null = null;
  let stopping = false;
  let restarts = 0;
  /** Resolves when the crashed server is running again or the restart has failed. */
  let revived: Promise<void> | null = null;

  /** Starts the server once and takes the owner's lock. @throws StartError */
  async function launch(): Promise<void> {
    const settings = Object.entries({
      ...serverSettings(),
      unix_socket_directories: socket,
      ...options.settings,
    });
    const child = spawn(
      program,
      [
        '-D',
        clusterFolder(home.database),
        ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // Detached, so that Ctrl-C in a terminal reaches only the host, which then shuts down the database cleanly.
      { ...home.account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    );
    let output = '';
    child.stderr.on('data', (chunk) => (output = (output + String(chunk)).slice(-2000)));
    let ended = false;
    child.once('error', () => (ended = true));
    child.once('exit', () => (ended = true));
    // Standard error is complete only at 'close'.
    const closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
    const client = await connectWhenUp(() => (ended ? null : socket));
    const lock = client && (await takeLock(client).catch(() => null));
    if (!client || !lock || ended) {
      await client?.end().catch(() => undefined);
      if (lock !== false)
        await Promise.race([closed, delay(EXIT_REASON_TIMEOUT_MS, null, { ref: false })]);
      const failure = new StartError(
        // Two hosts may start at the same time. The other host may then hold the lock and stop our new server, because it looks
        // like a server that a killed host left behind.
        lock === false ||
          /lock file ".*" already exists|received fast shutdown request/.test(output)
          ? `Packpark already runs on the data in ${home.folder}: stop it first, or choose another DATA_DIR.`
          : startFailure(output, home.database),
      );
      child.kill('SIGINT');
      throw failure;
    }
    server = child;
    hold(client);
    const again = () => (revived = revive());
    child.once('exit', again);
    if (ended) again();
  }

  /** Watches the connection that holds the lock. After the server has restarted, connects again and takes the lock again. */
  function hold(client: pg.Client): void {
    guardian = client;
    client.once('end', () => {
      if (stopping || guardian !== client) return;
      guardian = null;
      const child = server;
      void connectWhenUp(() => (!stopping && isRunning(child) ? socket : null)).then(
        async (next) => {
          if (!next) return;
          if (await takeLock(next).catch(() => false)) hold(next);
          else await next.end().catch(() => undefined);
        },
      );
    });
  }

  async function revive(): Promise<void> {
    if (stopping || server === null) return;
    server = null;
    guardian = null;
    restarts += 1;
    options.onRestart?.('PostgreSQL ended by itself and is started again.');
    let failure: unknown;
    for (let attempt = 0; attempt < RESTARTS; attempt += 1) {
      // The last processes of the old server need a moment to release its shared memory.
      await delay(100 * 2 ** attempt);
      if (stopping) return;
      try {
        await launch();
        return;
      } catch (error) {
        failure = error;
      }
    }
    options.onLost?.(failure as Error);
  }

  await launch();
  return {
    connectionString: (database) => socketConnection(socket, database),
    async ensureDatabase(name) {
      // Another connection would cost each start the start of a server process.
      if (!guardian) throw new StartError('PostgreSQL ended right after its start.');
      const { rowCount } = await guardian.query('select from pg_database where datname = $1', [
        name,
      ]);
      if (rowCount === 0) await guardian.query(`create database ${pg.escapeIdentifier(name)}`);
    },
    restarts: () => restarts,
    async stop() {
      stopping = true;
      // A restart in progress must end first, so that the restarted server is stopped too.
      await revived;
      const child = server;
      if (isRunning(child)) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        // SIGINT is PostgreSQL's fast shutdown: it rolls back open transactions and exits cleanly.
        child.kill('SIGINT');
        await ended;
      }
      await guardian?.end().catch(() => undefined);
    },
  };
}

/**
 * Starts the embedded cluster, after creating it if it does not exist, and restarts it after a crash.
 * @throws StartError if the data is in use or of another version, or the server does not start
 */
export async function startCluster(home: DataHome, options: ClusterOptions = {}): Promise<Cluster> {
  const data = clusterFolder(home.database);
  const binaries = await postgresBinaries(home.account, home.stage, options.binaries);
  if (dataVersion(data) === null) await makeCluster(binaries.folder, home);
  const version = dataVersion(data);
  if (version !== binaries.major)
    throw new StartError(
      `The data in ${data} was made by PostgreSQL ${version}, and this Packpark runs PostgreSQL ${binaries.major}: make a backup with the Packpark that made it, and restore that here.`,
    );
  await endOrphan(data, home.folder);
  const socket = socketFolder(home.database, home.account);
  const program = path.join(binaries.folder, 'bin/postgres');
  return keepRunning(program, home, socket, options);
}
