// Supabase clients for functions, and the identification of the caller.
import { createClient, isAuthRetryableFetchError } from '@supabase/supabase-js';
import type { Database } from '../../../shared/database.types.ts';
import { HttpError } from './serve.ts';

/** @throws if the environment variable is not set */
export function required(name: string): string {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`The setting ${name} is missing`);
  return value;
}

const clientWith = (key: string, headers: Record<string, string> = {}) =>
  createClient<Database>(required('SUPABASE_URL'), required(key), {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { headers },
  });

/** A client that bypasses row-level security. */
export const serviceClient = () => clientWith('SUPABASE_SERVICE_ROLE_KEY');

/** A client for public data. The host counts its requests against the limits of the visitor who sent `request`. */
export const visitorClient = (request: Request) =>
  clientWith('SUPABASE_ANON_KEY', {
    'x-forwarded-for': request.headers.get('x-forwarded-for') ?? '',
    // Because of this key, the host trusts the forwarded IP address of the visitor.
    'x-service-key': required('SUPABASE_SERVICE_ROLE_KEY'),
  });

export type ServiceClient = ReturnType<typeof serviceClient>;

const tokenOf = (request: Request): string =>
  (request.headers.get('authorization') ?? '').replace(/^Bearer /i, '');

export const isService = (request: Request): boolean =>
  tokenOf(request) === required('SUPABASE_SERVICE_ROLE_KEY');

/** @throws HttpError 403 unless the caller has the service key */
export function requireService(request: Request): void {
  if (!isService(request)) throw new HttpError(403, 'Only the project itself may call this');
}

/** Decodes a token without verifying it, so call it only with a token that the auth service has just verified. */
function claimsOf(token: string): { aal?: string; amr?: { timestamp: number }[] } {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return JSON.parse(atob(payload)) as ReturnType<typeof claimsOf>;
}

const RECENT_LOGIN_SECONDS = 600;

/**
 * Requires for irreversible actions that the caller logged in or entered the password within the last ten minutes, because a token
 * may be stolen.
 * @param request of a caller whom `requireUser` has accepted
 * @throws HttpError 403
 */
export function requireRecentLogin(request: Request): void {
  const since = Date.now() / 1000 - RECENT_LOGIN_SECONDS;
  if (!claimsOf(tokenOf(request)).amr?.some(({ timestamp }) => timestamp > since))
    throw new HttpError(403, 'reauthentication_needed');
}

/**
 * Returns the ID of the logged-in caller. The auth service verifies the token, so revoked sessions are rejected.
 * @throws HttpError 401; 503 if the auth service is unavailable; 403 if the user has a second factor that the session has not used
 */
export async function requireUser(request: Request, client: ServiceClient): Promise<string> {
  const token = tokenOf(request);
  const { data, error } = await client.auth.getUser(token);
  // The status is not 401, because devices log out if they receive it.
  if (isAuthRetryableFetchError(error)) throw new HttpError(503, 'Try again in a moment');
  if (!data.user) throw new HttpError(401, 'You must be logged in');
  const hasFactor = data.user.factors?.some(({ status }) => status === 'verified') ?? false;
  if (hasFactor && claimsOf(token).aal !== 'aal2')
    throw new HttpError(403, 'Give the code of the second factor first');
  return data.user.id;
}

type ClientResponse<T> = ({ data: T; error: null } | { data: null; error: { message: string } }) & {
  status?: number;
};

/**
 * Returns the data of a client's response.
 * @throws the response's error; HttpError 503 if the database is unavailable or there was no response
 */
export function unwrap<T>(response: ClientResponse<T>): T {
  const { error, status } = response;
  if (error && (status === 503 || status === 0)) throw new HttpError(503, 'Try again in a moment');
  if (error) throw new Error(error.message);
  return response.data;
}
