// Tests that a release runs without the checkout, keeps the build with which it started, and can be installed, upgraded and rolled
// back with the commands of docs/deploy.md.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ROOT } from './lib/freshness.ts';
import type * as clusterModule from '../server/src/host/db/cluster.ts';
import type * as dataHomeModule from '../server/src/host/db/data-home.ts';
import { layOut, type Cpu } from './lib/release.ts';
import { serverModule } from './lib/server-module.ts';

function createFolder(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `packpark-${name}-`));
  // If root runs the tests, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  return folder;
}

let laidOut = '';
beforeAll(() => {
  laidOut = createFolder('laid-out');
  layOut(laidOut, process.arch as Cpu);
});
afterAll(() => rmSync(laidOut, { recursive: true, force: true }));

const env = {
  PATH: process.env.PATH,
  PORT: '0',
  HOST: '127.0.0.1',
  PACKPARK_SETTINGS: '/dev/null',
};

async function start(folder: string): Promise<string> {
  const host = spawn(path.join(folder, 'packpark'), {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => host.once('close', resolve));
  onTestFinished(async () => {
    host.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  let output = '';
  for (const stream of [host.stdout, host.stderr])
    stream.on('data', (text) => (output += String(text)));
  return vi.waitFor(
    () => /open (http:\/\/[^\s"]+)/.exec(output)?.[1] ?? expect.fail(output),
    120_000,
  );
}

test.skipIf(process.platform !== 'linux')(
  'a release runs on its own with its licence notices, and keeps its build when a newer one is installed',
  async () => {
    const folder = createFolder('release');
    execFileSync('cp', ['-al', `${laidOut}/.`, folder]);
    const notices = readFileSync(path.join(folder, 'NOTICES.txt'), 'utf8');
    for (const name of ['PostgreSQL', 'rubik', 'leaflet', 'react-dom', 'pg', 'sharp-libvips'])
      expect(notices).toMatch(new RegExp(`${name}[\\w-]*( \\d|\\n)`));
    expect(notices).toContain('SIL OPEN FONT LICENSE');
    const [, licences] = /LGPL \(version 3\).*?licences in (\S+)\/,/s.exec(notices) ?? [];
    expect(readFileSync(path.join(folder, `${licences}/LGPL-3.0.txt`), 'utf8')).toContain(
      'GNU LESSER GENERAL PUBLIC LICENSE',
    );

    const parts = ['app', 'server'].map((part) => path.join(folder, part));
    for (const part of parts) {
      mkdirSync(path.join(part, 'builds'));
      renameSync(path.join(part, 'dist'), path.join(part, 'builds/1'));
      symlinkSync('builds/1', path.join(part, 'dist'));
    }
    const url = await start(folder);
    writeFileSync(path.join(folder, 'parks.csv'), 'name,city,lat,long\nA,Haifa,32.8,34.9\n');
    const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe', env } as const;
    const args = 'import-parks parks.csv --source x --licence y'.split(' ');
    expect(execFileSync('./packpark', args, options)).toBe(
      'Imported: 1 new, 0 changed, 0 unchanged, 0 left out, 0 rejected, 0 to be decided.\n',
    );
    for (const part of parts) {
      mkdirSync(path.join(part, 'builds/2'));
      const newer = '<!doctype html><title>newer</title></head>';
      writeFileSync(path.join(part, 'builds/2/index.html'), newer);
      rmSync(path.join(part, 'dist'));
      symlinkSync('builds/2', path.join(part, 'dist'));
    }
    const page = await (await fetch(url)).text();
    const asset = /\/assets\/[\w.-]+\.js/.exec(page)?.[0] ?? '';
    expect(asset).not.toBe('');
    expect((await fetch(url + asset)).status).toBe(200);
    const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
    const ask = (place: string, body?: object) =>
      fetch(url + place, {
        headers: { apikey: anonKey, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    // Calls a function and requests a rendition, because functions and the image process are loaded when they are first used.
    expect((await ask('/functions/v1/geocode', { query: 'x' })).status).toBeLessThan(500);
    const photos = await ask('/rest/v1/park_photos?select=path&limit=1');
    const [photo] = (await photos.json()) as { path: string }[];
    const image = `/storage/v1/render/image/public/parks/${photo?.path}?width=60&height=60`;
    const rendered = await ask(image);
    expect([rendered.status, rendered.headers.get('content-type')]).toEqual([200, 'image/webp']);
  },
);

const page = readFileSync(path.join(ROOT, 'docs/deploy.md'), 'utf8');
const [current = '', next = ''] = new Set(page.match(/packpark-\d+\.\d+\.\d+-linux-x64/g));

const blocksOf = (text: string) =>
  [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, commands = '']) => commands);

/** Code blocks that this test does not run: the start of each block, and the reason. */
const ELSEWHERE = {
  'npm ci':
    'npm would fetch all packages; start.test.ts starts, native-sync.test.ts makes the shells',
  'npx vitest': 'tests within a test',
  'tar -xzf': 'Docker',
  'docker compose': 'Docker',
  'npx supabase link': 'an account at Supabase',
  'cd app && npx cap open': 'Android Studio, Xcode',
  'npm start\nPACKPARK_SITE_URL': 'Android’s tools and a phone',
};

const waiting = new Set(
  execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .flatMap((name) => blocksOf(readFileSync(path.join(ROOT, name), 'utf8'))),
);
const taken = (commands: string) => {
  waiting.delete(commands);
  return commands;
};

/** Returns the code blocks of a section of the page. */
function commandsOf(step: string): string[] {
  const [, part = ''] = new RegExp(`^### \\d+\\. ${step}\\n(.*?)^### `, 'ms').exec(page) ?? [];
  return blocksOf(part).map(taken);
}

/** Returns the first code block of any document that contains these words. */
const blockWith = (words: string): string =>
  taken([...waiting].find((commands) => commands.includes(words)) ?? `false # ${words}`);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const STAND_INS = {
  sudo: '[ "$1" = -u ] && shift 2; exec "$@"',
  useradd: 'mkdir /srv/packpark',
  userdel: '',
  // The archives are stored uncompressed, because compressing them would take longer than copying them.
  store: `exec node -e 'process.stdin.pipe(require("zlib").createGzip({ level: 0 })).pipe(process.stdout)'`,
  install: 'exec cp "${@: -2}"',
  sudoedit:
    'sed -i "s#^DATA_DIR=#&ROOT#" "$1" && printf "PORT=PORT_NUMBER\\nAUTH_CONFIRM_EMAIL=false\\n" >> "$1"',
  journalctl: '',
  npm: '[ "$1" = ci ] || exec ./packpark "$@"',
  rsync: 'from="${@: -2:1}" && exec cp -n "${from#*:}"* "${@: -1}"',
  psql: `exec node -e '
    const { Client } = require(process.env.CHECKOUT + "/node_modules/pg");
    const [file, sql] = process.argv.slice(1);
    const client = new Client(require("node:fs").readFileSync(file, "utf8"));
    client.connect().then(() => client.query(sql)).then(() => client.end())' -- ROOT/external "\${@: -1}"`,
  createdb: 'psql -c "create database ${3} owner $2"',
  pmtiles: 'cp "$CHECKOUT/testing/fixtures/test-map.pmtiles" "$3"',
  apt: '',
  // A fake systemctl, which reads the folder and the command from the unit.
  systemctl: `
    [ "$1" != disable ] || set -- stop
    case "$*" in *.timer | daemon-reload) exit ;; esac
    [ ! -f /srv/pid ] || { kill "$(cat /srv/pid)" && tail --pid="$(cat /srv/pid)" -f /dev/null && rm /srv/pid; }
    [ "$1" = stop ] && exit
    unit() { sed -n "s/^$1=//p" /etc/systemd/system/packpark.service; }
    cd "ROOT$(unit WorkingDirectory)"
    setsid $(unit ExecStart) > /srv/log 2>&1 < /dev/null &
    echo $! > /srv/pid`,
};

/** Creates a simulated machine: a folder with its own `/srv` and `/etc`. */
async function createMachine() {
  const root = createFolder('machine');
  const port = String(await freePort());
  for (const folder of ['bin', 'srv', 'etc/systemd/system', 'backups/packpark'])
    mkdirSync(path.join(root, folder), { recursive: true });
  const inside = (text: string) =>
    text
      .replaceAll(/(?<![\w.])\/(srv|etc|backups)\b/g, `${root}/$1`)
      .replaceAll('ROOT', root)
      .replaceAll('PORT_NUMBER', port)
      .replaceAll(/localhost:3000|park\.example(?=\/open)/g, `127.0.0.1:${port}`)
      .replaceAll('https://127', 'http://127')
      .replaceAll('PORT=3999', 'PORT=0')
      .replaceAll('-linux-x64', `-linux-${process.arch}`);
  for (const [name, script] of Object.entries(STAND_INS))
    writeFileSync(path.join(root, 'bin', name), `#!/bin/bash\n${inside(script)}\n`, {
      mode: 0o755,
    });
  const run = (commands: string) =>
    execFileSync('bash', ['--norc', '-euc', inside(commands)], {
      timeout: 240_000,
      cwd: path.join(root, 'srv'),
      env: {
        PATH: `${root}/bin:${process.env.PATH}`,
        HOME: root,
        CHECKOUT: ROOT,
        npm_config_update_notifier: 'false',
        PACKPARK_SETTINGS: `${root}/etc/packpark.env`,
      },
      encoding: 'utf8',
    });
  onTestFinished(() => {
    run('systemctl stop');
    rmSync(root, { recursive: true, force: true });
  });
  /** Starts a command that keeps running. */
  async function runUntilReady(commands: string) {
    run(`cat > run.sh <<'SCRIPT'\n${commands}SCRIPT
      setsid bash -eu run.sh > run.log 2>&1 < /dev/null & echo $! > run.pid`);
    await vi
      .waitFor(
        () => expect(readFileSync(path.join(root, 'srv/run.log'), 'utf8')).toContain('is ready'),
        120_000,
      )
      .finally(() => run('kill -- -$(cat run.pid) || :'));
  }
  return { root, run, runUntilReady, url: `http://127.0.0.1:${port}` };
}

/**
 * Starts a PostgreSQL server.
 * @returns the connection string of each of its databases
 */
async function startDatabases() {
  const { startCluster } = await serverModule<typeof clusterModule>('src/host/db/cluster.ts');
  const { makeDataHome } = await serverModule<typeof dataHomeModule>('src/host/db/data-home.ts');
  const folder = createFolder('external');
  const cluster = await startCluster(makeDataHome(folder), { settings: { fsync: 'off' } });
  onTestFinished(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return (database: string) => cluster.connectionString(database);
}

test.skipIf(process.platform !== 'linux')(
  "the page's commands install, fill, back up, upgrade and roll back a machine, with the built-in database and another",
  async () => {
    const { root, run, runUntilReady, url } = await createMachine();
    const archive = (name: string) => `${name}.tar.gz`.replace('x64', process.arch);
    run(`
      cp -al ${laidOut} ${current}
      tar -cf ${current}.tar.gz -I store ${current} && sha256sum ${current}.tar.gz > SHA256SUMS
      mv ${current} ${next} && cd ${next}
      sed -i 's/"version": "[^"]*"/"version": "'"$(echo ${next} | cut -d- -f2)"'"/' package.json
      echo 'create table private.newer ()' > supabase/migrations/99990101000000_newer.sql
      cd .. && tar -cf ${next}.tar.gz -I store ${next} && rm -r ${next}`);
    const ready = () =>
      vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), 120_000);
    const follow = (step: string) => commandsOf(step).map(run).join('');

    expect(follow('Install')).toContain(`${archive(current)}: OK`);
    follow('Configure');
    follow('Run it with systemd');
    await ready();
    const geometry = { type: 'Point', coordinates: [34.99, 32.8] };
    const oak = { type: 'Feature', properties: { name: 'Oak Park' }, geometry };
    writeFileSync(
      path.join(root, 'srv/packpark/parks.geojson'),
      JSON.stringify({ type: 'FeatureCollection', features: [oak] }),
    );
    expect(follow('Import parks')).toContain('Imported: 1 new');
    expect(follow('Back it up')).toContain('Backed up');

    const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
    const signUp = await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'you@example.org', password: 'a long enough password' }),
    });
    expect(signUp.status).toBe(200);
    expect(run(`cd /srv/packpark/app\n${blockWith('users role')}`)).toMatch(/[0-9A-F]{5}-/);
    run(`cd packpark\n${blockWith('pmtiles israel.pmtiles')}mv israel.pmtiles data
      echo MAP_FILE=israel.pmtiles >> /etc/packpark.env`);
    run(`cd packpark\n${blockWith('pmtiles new.pmtiles')}`);
    expect(run(blockWith('npx packpark doctor'))).toMatch(
      /The map \(israel\.pmtiles\) can be drawn[^]*packpark-.*\.tar\.gz/,
    );
    const inApp = (commands: string) =>
      run(`cd packpark/app\ncp /srv/packpark/parks.geojson .\n${commands}`);
    for (const words of ['import-parks parks.geojson', 'import-parks FILE']) {
      const imported = inApp(blockWith(words).replace('FILE', 'parks.geojson'));
      expect(imported).toContain('1 unchanged');
    }
    expect(inApp(blockWith('import-parks parks.csv'))).toContain('Imported');
    run(blockWith('rsync'));
    expect(readdirSync(path.join(root, 'backups/packpark'))).toHaveLength(1);
    await runUntilReady(blockWith('newest='));
    await runUntilReady(
      `cp -a packpark/app/. own && cd own\nunset PACKPARK_SETTINGS\nexport PORT=0\n${blockWith('cat > .env')}`,
    );

    run(`mv ${archive(next)} packpark`);
    const [upgrade = '', back = '', backElsewhere = ''] = commandsOf('Upgrade');
    const withNewest = (commands: string) => {
      const backups = readdirSync(path.join(root, 'srv/packpark/data/backups')).toSorted();
      return commands.replace(/packpark-\d{8}-\d{6}\.tar\.gz/, backups.at(-1) ?? '');
    };
    const upgradeAndBack = async (wayBack: string) => {
      const output = run(upgrade);
      expect(output).toContain(
        'up to 99990101000000_newer (1 in all); to go back, restore a backup',
      );
      expect(output).toContain('{"status":"ready"}');
      expect(run(withNewest(wayBack))).toContain('each was compared with the backup');
      // The earlier release rejects a database with a migration that it does not know.
      await ready();
      expect(run('cd /srv/packpark/app && npx packpark upgrade-check')).toContain(
        'The database has the schema of this release',
      );
    };
    await upgradeAndBack(back);
    run(blockWith('accept-secret'));
    await ready();

    const external = await startDatabases();
    writeFileSync(path.join(root, 'external'), external('postgres'));
    run(blockWith('create role packpark').replace(/.*# PostgreSQL 15 only\n/, ''));
    const nameDatabase = (name: string) =>
      writeFileSync(
        path.join(root, 'bin/sudoedit'),
        `#!/bin/bash\nsed -i '/^DATABASE_URL=/d' "$1"\necho 'DATABASE_URL=${external(name).replace('postgres@', 'packpark@')}' >> "$1"\n`,
      );
    nameDatabase('packpark');
    run(
      withNewest(`systemctl stop packpark && sudoedit /etc/packpark.env
        cd packpark/app && npx packpark restore /srv/packpark/data/backups/packpark-20261231-030000.tar.gz
        systemctl start packpark`),
    );
    await ready();
    nameDatabase('packpark_back');
    await upgradeAndBack(backElsewhere);
    run(blockWith('userdel'));
    expect(readdirSync(path.join(root, 'srv'))).not.toContain('packpark');

    const begins = Object.keys(ELSEWHERE);
    const left = (begin: string) => [...waiting].some((commands) => commands.startsWith(begin));
    expect(begins.filter((begin) => !left(begin))).toEqual([]);
    const untaken = [...waiting].filter((one) => !begins.some((begin) => one.startsWith(begin)));
    expect(untaken).toEqual([]);
  },
  600_000,
);
