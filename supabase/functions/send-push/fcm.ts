// Sends pushes with Firebase Cloud Messaging (HTTP v1): gets an access token for the service account, and converts the response of
// a message to an outcome.
import { importPKCS8, SignJWT } from 'jose';
import * as v from 'valibot';
import { jsonOf } from '../_shared/external-services.ts';
import type { Outcome } from './web-push.ts';

const accountSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    project_id: v.string(),
    client_email: v.string(),
    private_key: v.string(),
    token_uri: v.optional(v.string(), 'https://oauth2.googleapis.com/token'),
  }),
);
type Account = v.InferOutput<typeof accountSchema>;

export interface Push {
  token: string;
  /** A retry sends the same ID, so that the phone replaces the message instead of showing it twice. */
  id: string;
  title: string;
  body: string;
  data: Record<string, string>;
  /** True to show the message without a sound. */
  quiet: boolean;
}

const TIMEOUT_MS = 10_000;

async function fetchAccessToken(account: Account): Promise<{ token: string; until: number }> {
  const now = Math.floor(Date.now() / 1000);
  const assertion = await new SignJWT({
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt(now)
    .setExpirationTime(now + 3600)
    .sign(await importPKCS8(account.private_key, 'RS256'));
  const response = await fetch(account.token_uri, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) {
    const parsed = v.safeParse(
      v.object({ error: v.string() }),
      await jsonOf(response).catch(() => null),
    );
    throw new Error(`${response.status} ${parsed.success ? parsed.output.error : ''}`.trim());
  }
  const { access_token, expires_in } = v.parse(
    v.object({ access_token: v.string(), expires_in: v.number() }),
    await jsonOf(response),
  );
  return { token: access_token, until: Date.now() + (expires_in - 60) * 1000 };
}

const errorSchema = v.object({
  error: v.object({
    details: v.optional(
      v.array(
        v.looseObject({
          errorCode: v.optional(v.string()),
          fieldViolations: v.optional(v.array(v.looseObject({ field: v.optional(v.string()) }))),
        }),
      ),
      [],
    ),
  }),
});

/** Returns true if the error means that this device's token will never work again. */
function isDeadToken(status: number, body: unknown): boolean {
  const parsed = v.safeParse(errorSchema, body);
  const details = parsed.success ? parsed.output.error.details : [];
  return details.some(
    ({ errorCode, fieldViolations }) =>
      errorCode === 'UNREGISTERED' ||
      errorCode === 'SENDER_ID_MISMATCH' ||
      (status === 400 && fieldViolations?.some(({ field }) => field === 'message.token')),
  );
}

const messageOf = ({ token, id, title, body, data, quiet }: Push): object => ({
  message: {
    token,
    notification: { title, body },
    data,
    android: {
      collapse_key: id,
      notification: { channel_id: quiet ? 'quiet' : 'default', tag: id },
    },
    apns: {
      headers: { 'apns-collapse-id': id },
      payload: { aps: quiet ? { 'interruption-level': 'passive' } : { sound: 'default' } },
    },
  },
});

/** Describes a failure for the log, without the message, its receiver or the key. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

export interface Fcm {
  /** Sends one message. A network failure is also returned as an outcome. */
  send(push: Push): Promise<Outcome>;
}

/**
 * @param accountText the service account's JSON, as downloaded from the Firebase console
 * @param base the service's URL; tests use another one
 * @throws if the JSON is not that of a service account
 */
export function createFcm(accountText: string, base: string): Fcm {
  const account = v.parse(accountSchema, accountText);
  let access: Promise<{ token: string; until: number }> | null = null;

  /**
   * Requests a new access token. All messages that need it share the request. A failure is logged once, and the next message tries
   * again.
   */
  function renew(): Promise<{ token: string; until: number }> {
    const requested = fetchAccessToken(account);
    access = requested;
    requested.catch((error: unknown) => {
      console.warn('Push: no access token:', reasonOf(error));
      if (access === requested) access = null;
    });
    return requested;
  }

  async function accessToken(): Promise<string> {
    const { token, until } = await (access ?? renew());
    return until > Date.now() ? token : (await renew()).token;
  }

  return {
    async send(push) {
      // Until the operator replaces a wrong or revoked key, pushes are retried, as without a network.
      const token = await accessToken().catch(() => null);
      if (token === null) return { result: 'retry', retryAfter: null };
      let response: Response;
      try {
        response = await fetch(`${base}/v1/projects/${account.project_id}/messages:send`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(messageOf(push)),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
      } catch (error) {
        console.warn('Push: the service cannot be reached:', reasonOf(error));
        return { result: 'retry', retryAfter: null };
      }
      const body: unknown = await jsonOf(response).catch(() => null);
      if (response.ok) return { result: 'sent' };
      if (response.status === 401) {
        console.warn('Push: the service refuses the access token');
        access = null;
      }
      if (response.status === 401 || response.status === 429 || response.status >= 500)
        return { result: 'retry', retryAfter: Number(response.headers.get('retry-after')) || null };
      return { result: isDeadToken(response.status, body) ? 'dead_token' : 'failed' };
    },
  };
}
