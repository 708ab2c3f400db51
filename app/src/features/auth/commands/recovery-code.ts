// The second step of a login by a recovery code, where the authenticator app is lost.
import { askAuth, callAuth } from '#/data/session/auth-call.ts';

/** Raises this session to level two; the code is used up. @throws AppError */
export async function enterRecoveryCode(code: string): Promise<void> {
  const session = await callAuth('recovery-codes/verify', { code });
  await askAuth((auth) =>
    auth.setSession(session as { access_token: string; refresh_token: string }),
  );
}
