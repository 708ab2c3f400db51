// Logging in: by password, with a recovery code as second step, or with a provider that redirects to /auth-callback.
import { MINUTE_MS } from '../../../../../shared/durations.ts';
import { expectDeepLink } from '#/features/auth/expected-link.ts';
import { requestAuth, callAuth } from '#/data/session/auth-call.ts';
import { watchSession } from '#/data/session/session.ts';
import { siteUrl } from '#/platform/site-url.ts';
import { supabase } from '#/data/supabase.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { nativePlatform } from '#/platform/native.ts';

/** @param captchaToken omitted if no captcha is configured @throws AppError */
export async function signIn(email: string, password: string, captchaToken?: string) {
  await watchSession();
  await requestAuth((auth) =>
    auth.signInWithPassword({
      email: email.trim(),
      password,
      options: { ...(captchaToken && { captchaToken }) },
    }),
  );
}

/**
 * Raises the session to AAL2 if the authenticator app is lost. Each recovery code works only once.
 * @throws AppError
 */
export async function enterRecoveryCode(code: string): Promise<void> {
  const session = await callAuth('recovery-codes/verify', { code });
  await requestAuth((auth) =>
    auth.setSession(session as { access_token: string; refresh_token: string }),
  );
}

export type Provider = 'google' | 'apple';

/**
 * Navigates to the login provider. In a native app, opens the system browser, because providers reject web views, and resolves when
 * the browser is closed. Google always shows its list of accounts. @throws AppError if the provider cannot be reached
 */
export async function signInWith(provider: Provider): Promise<void> {
  const isNative = nativePlatform() !== null;
  const redirectTo = isNative ? await expectDeepLink() : siteUrl('/auth-callback');
  const { url } = await requestAuth((auth) =>
    auth.signInWithOAuth({
      provider,
      options: {
        redirectTo,
        skipBrowserRedirect: isNative,
        ...(provider === 'google' && { queryParams: { prompt: 'select_account' } }),
      },
    }),
  );
  if (isNative && url)
    await import('#/platform/browser.ts').then(({ openBrowser }) => openBrowser(url));
}

/** Records that a provider's login created the account, so that the user is asked to add a dog, as after signup by email. */
export async function noteNewcomer(): Promise<void> {
  const { data } = await (await supabase()).auth.getSession();
  const { created_at = '', last_sign_in_at = '' } = data.session?.user ?? {};
  if (Date.parse(last_sign_in_at) - Date.parse(created_at) < MINUTE_MS)
    writeLocal('newcomer', 'yes');
}
