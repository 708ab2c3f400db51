// Creates users for benchmarks, through the auth service or directly in the database, and signs tokens as the auth service does.
import { createClient, type WebSocketLikeConstructor } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import type pg from 'pg';
import WebSocket from 'ws';
import type { BenchHost } from './bench-host.ts';

export const SECRET = 'a secret of the benchmark with at least 32 characters';
const KEY = new TextEncoder().encode(SECRET);

/** @param claims additional claims, which override those of an ordinary session */
export const tokenOf = (sub: string, claims: object = {}): Promise<string> =>
  new SignJWT({ role: 'authenticated', sub, aud: 'authenticated', ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('2h')
    .sign(KEY);

export const addUsers = (database: Pick<pg.Pool, 'query'>, ids: string[]) =>
  database.query(
    `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
     select u, u || '@example.test', now(), '{"full_name":"Bench", "age_confirmed": true}' from unnest($1::uuid[]) u`,
    [ids],
  );

/** Signs up a user. `client` is the official client with the user's session. */
export async function signUp(host: BenchHost, name: string) {
  const client = createClient(host.url, host.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as unknown as WebSocketLikeConstructor },
  });
  const credentials = { email: `${name}@example.test`, password: `bench password ${name}` };
  const options = { data: { full_name: 'Bench', age_confirmed: true } };
  const { data, error } = await client.auth.signUp({ ...credentials, options });
  if (error) throw error;
  if (!data.session) throw new Error('The host wants the address confirmed.');
  return { client, credentials, session: data.session };
}
