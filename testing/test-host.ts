// Starts a real host for a test, with its own copy of the template database, on a free loopback port.
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
  /** A superuser's connection, to set up data and check results behind the API. */
  connectionString: string;
  sql<R extends pg.QueryResultRow = Record<string, never>>(...sql: Statement): Promise<R[]>;
  /** The official client. `key` defaults to the anonymous key; `token` is the token of a user. */
  client(options?: { key?: string; token?: string }): Client;
  service(): Client;
  /**
   * Creates an approved park with an English name.
   * @returns its ID
   */
  park(name?: string): Promise<number>;
  /** Creates a row of `auth.users`, without the auth service, and an access token for it. */
  user(name: string): Promise<{ id: string; token: string; client: Client }>;
}

/** Returns status and code of an official client's error, such as `403 otp_expired`. */
export async function authErrorOf(result: { error: unknown } | PromiseLike<{ error: unknown }>) {
  const { status, code } = ((await result).error ?? {}) as { status?: number; code?: string };
  return `${status} ${code}`;
}

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

/** Creates the official client for a URL, on every supported Node. `token` is the token of a user. */
export const clientAt = (url: string, key: string, token?: string): Client =>
  createClient<Schema>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: WebSocket as never },
    ...(token === undefined ? {} : { accessToken: () => Promise.resolve(token) }),
  });

/** Opens a connection that is not part of a host's pool. It closes after the test or file. */
export async function connectTo(connectionString: string, application_name?: string) {
  const client = new pg.Client({ connectionString, application_name });
  // If a test terminates the connection, the error would end the process without a listener.
  client.on('error', () => undefined);
  await client.connect();
  atEnd(() => client.end());
  return client;
}

/**
 * Starts a host on its own database, or with DATABASE_URL as another host of an existing one. `environment` overrides settings. It
 * stops after the test or file that started it, unless the test stops it earlier.
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
    clientAt(host.url, key, token);

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
    service: () => client({ key: host.tokens.serviceKey }),
    async park(name = 'Sea Park') {
      const { rows } = await host.database.pool.query<{ id: number }>(
        `with park as (insert into public.parks (lat, long, status) values (32.1, 34.8, 'approved') returning id)
         insert into public.park_translations (park_id, language, name, city, address)
         select id, 'en', $1, 'Haifa', 'Sea 1' from park returning park_id::int as id`,
        [name],
      );
      return rows[0]?.id ?? 0;
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
