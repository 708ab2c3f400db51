// The official client with the service role's rights, and the identity of the caller.
import { createClient, isAuthRetryableFetchError } from '@supabase/supabase-js';
import type { Database } from '../../../shared/database.types.ts';
import { HttpError } from './serve.ts';

/** @throws where the platform did not set the variable */
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

/** A client that row-level security does not apply to. */
export const serviceClient = () => clientWith('SUPABASE_SERVICE_ROLE_KEY');

/** For what everybody may ask: it has the time and the share of the connections that the visitor of this request has. */
export const visitorClient = (request: Request) =>
  clientWith('SUPABASE_ANON_KEY', {
    'x-forwarded-for': request.headers.get('x-forwarded-for') ?? '',
    // By it our host knows that a function says who asks.
    'x-service-key': required('SUPABASE_SERVICE_ROLE_KEY'),
  });

export type ServiceClient = ReturnType<typeof serviceClient>;

const tokenOf = (request: Request): string =>
  (request.headers.get('authorization') ?? '').replace(/^Bearer /i, '');

export const isService = (request: Request): boolean =>
  tokenOf(request) === required('SUPABASE_SERVICE_ROLE_KEY');

/** @throws HttpError 403 for anyone but the project itself */
export function requireService(request: Request): void {
  if (!isService(request)) throw new HttpError(403, 'Only the project itself may call this');
}

/** Only for a token that the auth service has just verified. */
function claimsOf(token: string): { aal?: string; amr?: { timestamp: number }[] } {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return JSON.parse(atob(payload)) as ReturnType<typeof claimsOf>;
}

const FRESH_SECONDS = 600;

/**
 * What cannot be undone asks for more than a token, which may be stolen: for a login or the password of the last ten minutes.
 * @param request of a caller whom `requireUser` let pass
 * @throws HttpError 403
 */
export function requireFreshLogin(request: Request): void {
  const since = Date.now() / 1000 - FRESH_SECONDS;
  if (!claimsOf(tokenOf(request)).amr?.some(({ timestamp }) => timestamp > since))
    throw new HttpError(403, 'reauthentication_needed');
}

/**
 * The id of the logged-in caller, verified by the auth service, so that a session that has ended is refused.
 * @throws HttpError 401; 503 where the auth service cannot say now; 403 where the user has a second factor and the session did not give it
 */
export async function requireUser(request: Request, client: ServiceClient): Promise<string> {
  const token = tokenOf(request);
  const { data, error } = await client.auth.getUser(token);
  // Not 401: a device would take that for the end of its session.
  if (isAuthRetryableFetchError(error)) throw new HttpError(503, 'Try again in a moment');
  if (!data.user) throw new HttpError(401, 'You must be logged in');
  const hasFactor = data.user.factors?.some(({ status }) => status === 'verified') ?? false;
  if (hasFactor && claimsOf(token).aal !== 'aal2')
    throw new HttpError(403, 'Give the code of the second factor first');
  return data.user.id;
}

type Answer<T> = ({ data: T; error: null } | { data: null; error: { message: string } }) & {
  status?: number;
};

/** The data of an answer of the client. @throws its error; HttpError 503 while the database is away, or nothing answered */
export function unwrap<T>(answer: Answer<T>): T {
  const { error, status } = answer;
  if (error && (status === 503 || status === 0)) throw new HttpError(503, 'Try again in a moment');
  if (error) throw new Error(error.message);
  return answer.data;
}
