// A real host for a test: its own copy of the template database, real HTTP on a free loopback port.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { inject } from 'vitest';
import WebSocket from 'ws';
import { atEnd } from './at-end.ts';
import { statement, type Statement } from './statement.ts';
import { readSettings, type Settings } from '#/product/settings.ts';
import { startHost, type Host, type HostStart } from '#/main.ts';
import type { Database as Schema } from '../shared/database.types.ts';

export type Client = SupabaseClient<Schema>;

export interface TestHost extends Host {
  settings: Settings;
  /** A connection string with all rights, for arranging and looking behind the API. */
  connectionString: string;
  sql<R extends pg.QueryResultRow = Record<string, never>>(...sql: Statement): Promise<R[]>;
  /** The official client: `key` is the anonymous key unless given; `token` acts as that user. */
  client(options?: { key?: string; token?: string }): Client;
  /** Makes an `auth.users` row without the auth service, and an access token for it. */
  user(name: string): Promise<{ id: string; token: string; client: Client }>;
}

/** Status and code of what an official client refuses with, such as `403 otp_expired`. */
export function refusalOf(error: unknown): string {
  const { status, code } = error as { status?: number; code?: string };
  return `${status} ${code}`;
}

/** A fresh database copied from the migrated template. */
export async function createTestDatabase(): Promise<string> {
  const admin = new pg.Client(inject('adminConnection'));
  await admin.connect();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  try {
    await admin.query(`create database ${name} template packpark_template strategy file_copy`);
  } finally {
    await admin.end();
  }
  return inject('adminConnection').replace('/postgres?', `/${name}?`);
}

/**
 * Starts a host on its own database, or beside another one on that one's (`DATABASE_URL`).
 * `environment` overrides settings. It closes with the test or the file that started it, unless that closes it before.
 */
export async function startTestHost(
  environment: Record<string, string> = {},
  start: HostStart = {},
): Promise<TestHost> {
  const connectionString = environment.DATABASE_URL ?? (await createTestDatabase());
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-host-'));
  const settings = readSettings({
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    DATA_DIR: folder,
    ...environment,
  });
  const host = await startHost(
    settings,
    connectionString,
    'a test secret with at least 32 characters',
    start,
  );

  const client: TestHost['client'] = ({ key = host.tokens.anonKey, token } = {}) =>
    createClient<Schema>(host.url, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      realtime: { transport: WebSocket as never },
      ...(token === undefined ? {} : { accessToken: () => Promise.resolve(token) }),
    });

  let closed: Promise<void> | undefined;
  const close = () =>
    (closed ??= host.close().then(() => rm(folder, { recursive: true, force: true })));
  atEnd(close);
  return {
    ...host,
    settings,
    connectionString,
    client,
    close,
    async sql(...sql) {
      return (await host.database.pool.query(...statement(sql))).rows;
    },
    async user(name) {
      const id = randomUUID();
      await host.database.pool.query(
        `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), $3)`,
        [id, `${id}@example.test`, { full_name: name, age_confirmed: true }],
      );
      const token = await host.tokens.sign(
        { role: 'authenticated', sub: id, aud: 'authenticated' },
        3600,
      );
      return { id, token, client: client({ token }) };
    },
  };
}
