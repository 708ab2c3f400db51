// Kills the host repeatedly during uploads, and tests that confirmed uploads are complete and that partial ones leave nothing.
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { startCli, temporaryData } from '../../../../testing/run-cli.ts';
import { clientAt, createTestDatabase } from '../../../../testing/test-host.ts';
import { openDatabase } from '#/host/db/database.ts';
import { hostSettingsSchema, parseSettings } from '#/host/lib/host-settings.ts';
import { createTokens } from '#/host/lib/tokens.ts';
import { createStorageContext } from '#/host/storage/context.ts';
import { removeLeftovers, sweepBytes } from '#/host/storage/sweep.ts';

const ROUNDS = 4;
const WORKERS = 8;
const SECRET = 'a test secret with at least 32 characters';

const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('every confirmed upload survives kill -9, every listed object can be read, and no bytes are left over', async () => {
  const environment = {
    DATABASE_URL: await createTestDatabase(),
    DATA_DIR: temporaryData(),
    JWT_SECRET: SECRET,
    LOG_LEVEL: 'silent',
    DEMO: 'false',
  };
  const tokens = await createTokens(SECRET);
  const database = openDatabase(environment.DATABASE_URL);
  await database.pool.query(`insert into storage.buckets (id, name) values ('box', 'box')`);
  /** For each name: the last confirmed content, and all contents that were sent later. */
  const confirmed = new Map<string, string>();
  const tried = new Map<string, Set<string>>();

  let done = 0;
  async function uploadUntilItDies(url: string, name: string): Promise<void> {
    const box = clientAt(url, tokens.serviceKey).storage.from('box');
    for (;;) {
      const bytes = randomBytes(50_000);
      const attempt = sum(bytes);
      tried.set(name, (tried.get(name) ?? new Set()).add(attempt));
      const { error } = await box.upload(name, bytes, { upsert: true });
      if (error) return;
      done += 1;
      confirmed.set(name, attempt);
      tried.set(name, new Set());
    }
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const host = await startCli(environment);
    const workers = Array.from({ length: WORKERS }, (_, index) =>
      uploadUntilItDies(host.url, `${index}.bin`),
    );
    // Waits until every worker has a request in progress, and then kills the host.
    const enough = done + 30 + round * 7;
    await vi.waitFor(() => expect(done).toBeGreaterThan(enough), { timeout: 30_000, interval: 5 });
    await host.end('SIGKILL');
    await Promise.all(workers);
  }

  const host = await startCli(environment);
  const box = clientAt(host.url, tokens.serviceKey).storage.from('box');
  const { data: listed } = await box.list();
  expect(listed?.length).toBe(WORKERS);
  for (const { name } of listed ?? []) {
    const { data } = await box.download(name);
    const found = sum(new Uint8Array((await data?.arrayBuffer()) ?? new ArrayBuffer()));
    expect([confirmed.get(name), ...(tried.get(name) ?? [])], name).toContain(found);
  }

  const context = await createStorageContext({
    settings: parseSettings(hostSettingsSchema, environment),
    database,
    tokens,
  });
  await database.pool.query('update storage.deleted_bytes set due_at = now()');
  await sweepBytes(context);
  await removeLeftovers(context, Date.now() + 2 * 60 * 60_000);
  const folder = path.join(environment.DATA_DIR, 'storage');
  expect(await readdir(path.join(folder, 'incoming'))).toEqual([]);
  const files = (
    await readdir(path.join(folder, 'bytes'), { recursive: true, withFileTypes: true })
  )
    .filter((file) => file.isFile())
    .map(({ name }) => name);
  const { rows } = await database.pool.query<{ version: string }>(
    'select version from storage.objects',
  );
  expect(files.sort()).toEqual(rows.map(({ version }) => version).sort());
  await host.end('SIGTERM');
  await database.close();
});
