// Verifies captcha tokens with hCaptcha or Turnstile if configured; both use the same protocol.
import * as v from 'valibot';
import { AuthError } from '#/host/auth/auth-error.ts';
import { readBody } from '#/host/lib/http.ts';
import type { Auth } from '#/host/auth/context.ts';

const ADDRESSES = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
};

const responseSchema = v.object({
  success: v.boolean(),
  'error-codes': v.optional(v.array(v.string()), []),
});

const rejection = (reason: string) =>
  new AuthError(400, 'captcha_failed', `captcha protection: request disallowed (${reason})`);

/**
 * Checks the request's captcha token if a captcha is configured.
 * @throws AuthError 400 captcha_failed; 500 unexpected_failure if the provider cannot be reached, as in GoTrue
 */
export async function checkCaptcha(
  auth: Auth,
  security: { captcha_token: string } | null | undefined,
): Promise<void> {
  const { CAPTCHA_PROVIDER, CAPTCHA_SECRET = '', CAPTCHA_URL } = auth.settings;
  if (CAPTCHA_PROVIDER === undefined) return;
  const token = security?.captcha_token ?? '';
  if (token === '') throw rejection('no captcha_token found');
  let result: v.InferOutput<typeof responseSchema>;
  try {
    const response = await fetch(CAPTCHA_URL ?? ADDRESSES[CAPTCHA_PROVIDER], {
      method: 'POST',
      body: new URLSearchParams({ secret: CAPTCHA_SECRET, response: token }),
      signal: AbortSignal.timeout(10_000),
    });
    result = v.parse(responseSchema, JSON.parse((await readBody(response, 10_000)).toString()));
  } catch (error) {
    auth.log.warn({ error: (error as Error).message }, 'the captcha provider cannot be reached');
    throw new AuthError(500, 'unexpected_failure', 'captcha verification process failed');
  }
  if (!result.success) throw rejection(result['error-codes'].join(', '));
}
