// The context of the auth service: the host's parts, the service's own tools, and the current request.
import type pg from 'pg';
import type { RequestContext } from '#/host/lib/http.ts';
import type { HostParts } from '#/host/host-parts.ts';
import type { createAttemptCounter } from '#/host/auth/attempt-counter.ts';
import type { Mailer } from '#/host/auth/mailer.ts';
import type { createPasswords } from '#/host/auth/passwords.ts';
import type { Provider } from '#/host/auth/providers.ts';

/** Created once per host. */
export interface Auth extends HostParts {
  passwords: ReturnType<typeof createPasswords>;
  attemptCounter: ReturnType<typeof createAttemptCounter>;
  /** True if an email must be confirmed before the first login. */
  confirmEmail: boolean;
  mailer: Mailer;
  providers: Map<string, Provider>;
  redirectPatterns: RegExp[];
  /** Runs work after the response, so that the response time does not reveal whether an account exists; failures are logged. */
  background(work: () => Promise<unknown>): void;
}

export interface Call extends RequestContext {
  request: Request;
  /** The parts of the path that the route's pattern captured. */
  params: Record<string, string>;
}

export type Handler = (auth: Auth, call: Call) => Promise<Response>;

export type Queryable = Pick<pg.Pool, 'query'> | Pick<pg.PoolClient, 'query'>;
