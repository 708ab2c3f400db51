// A release, laid out for this machine, runs with nothing else of the checkout, and goes on with the build that it started with.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { layOut, type Cpu } from './lib/release.ts';

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
  let said = '';
  for (const stream of [host.stdout, host.stderr])
    stream.on('data', (text) => (said += String(text)));
  return vi.waitFor(() => /open (http:\/\/\S+)/.exec(said)?.[1] ?? expect.fail(said), 120_000);
}

test.skipIf(process.platform !== 'linux')(
  'a release runs by itself, with the notices of what is in it, and a new build below it changes nothing',
  async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-release-'));
    chmodSync(folder, 0o755);
    layOut(folder, process.arch as Cpu);
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
    const args = [
      'import-parks',
      path.join(folder, 'parks.csv'),
      '--source',
      'x',
      '--licence',
      'y',
    ];
    expect(
      execFileSync(path.join(folder, 'packpark'), args, { encoding: 'utf8', stdio: 'pipe', env }),
    ).toBe('Imported: 1 new, 0 changed, 0 unchanged, 0 bad.\n');
    for (const part of parts) {
      mkdirSync(path.join(part, 'builds/2'));
      writeFileSync(
        path.join(part, 'builds/2/index.html'),
        '<!doctype html><title>newer</title></head>',
      );
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
    // A function, and the process that renders images: both are loaded only now.
    expect((await ask('/functions/v1/geocode', { query: 'x' })).status).toBeLessThan(500);
    const photos = (await (await ask('/rest/v1/park_photos?select=path&limit=1')).json()) as {
      path: string;
    }[];
    const rendered = await ask(
      `/storage/v1/render/image/public/parks/${photos[0]?.path}?width=60&height=60`,
    );
    expect([rendered.status, rendered.headers.get('content-type')]).toEqual([200, 'image/webp']);
  },
);
