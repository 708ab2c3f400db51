// Finds the account for an identity at Google or Apple: the linked account, the account with the same verified email, or a new one.
import { randomUUID } from 'node:crypto';
import { recordChange } from '#/host/auth/account-changes.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import type { Auth, Queryable } from '#/host/auth/context.ts';
import { revokeToken, type ExternalIdentity, type Provider } from '#/host/auth/providers.ts';
import { encrypt, decrypt } from '#/host/auth/encryption.ts';
import { checkAllowed, normalEmail } from '#/host/auth/emails.ts';
import { removeCredentials, saveIdentity } from '#/host/auth/credentials.ts';
import { insertUser } from '#/host/auth/new-users.ts';
import {
  findUserByEmail,
  findUserById,
  isBanned,
  reread,
  type Metadata,
  type User,
} from '#/host/auth/users.ts';

/** Converts an identity's data to GoTrue's names. */
function identityData(provider: Provider, identity: ExternalIdentity): Metadata {
  const { sub, email, emailVerified, name, picture } = identity;
  return {
    iss: provider.issuer,
    sub,
    provider_id: sub,
    ...(email === null ? {} : { email, email_verified: emailVerified }),
    phone_verified: false,
    // Apple sends the name only at the first login, so a missing name does not replace the stored one.
    ...(name === null ? {} : { name, full_name: name }),
    ...(picture === null ? {} : { picture, avatar_url: picture }),
  };
}

/**
 * Returns true if the account's owner has verified its email. The email that a provider reports may change later, so a provider's
 * identity counts whatever its email is now, unless the account has an email identity.
 */
function isEmailVerified({ email, identities }: User): boolean {
  const own = identities.filter(({ provider }) => provider === 'email');
  return own.length === 0
    ? identities.length > 0
    : own.some((one) => one.email === email && one.identity_data.email_verified === true);
}

/**
 * An attacker may have created an account with an email that was never confirmed. When the email's owner signs in through a
 * provider, every credential that the attacker may know is removed.
 */
async function takeOver(db: Queryable, user: User): Promise<void> {
  await removeCredentials(db, user.id);
  await db.query(
    `update auth.users set encrypted_password = null, raw_user_meta_data = '{}',
       raw_app_meta_data = raw_app_meta_data || $2, email_confirmed_at = now(), updated_at = now() where id = $1`,
    [user.id, { provider: 'email', providers: [] }],
  );
}

async function ownerOf(
  auth: Auth,
  db: Queryable,
  provider: Provider,
  identity: ExternalIdentity,
  data: Metadata,
): Promise<User> {
  const { rows } = await db.query<{ user_id: string }>(
    'select user_id from auth.identities where provider = $1 and provider_id = $2',
    [provider.name, identity.sub],
  );
  const known = rows[0] && (await findUserById(db, rows[0].user_id));
  if (known) return known;
  if (identity.email === null || !identity.emailVerified)
    throw new AuthError(
      422,
      'provider_email_needs_verification',
      `Unverified email with ${provider.name}. Verify the email with ${provider.name} in order to sign in`,
    );
  const email = normalEmail(identity.email);
  const sameEmail = await findUserByEmail(db, email);
  if (sameEmail) {
    // The new login is a credential like a password: an attacker who once read the owner's mails may have added it.
    if (isEmailVerified(sameEmail)) await recordChange(auth, db, sameEmail);
    else await takeOver(db, sameEmail);
    return sameEmail;
  }
  if (!auth.settings.AUTH_SIGNUP)
    throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
  checkAllowed(auth, email);
  const made = await insertUser(db, {
    id: randomUUID(),
    email,
    passwordHash: null,
    userMetadata: data,
    provider: provider.name,
    confirmed: true,
  });
  // If a concurrent first login created the account, that account is used.
  const user = made ?? (await findUserByEmail(db, email));
  if (!user) throw new AuthError(409, 'conflict', 'The account is being made, try again');
  return user;
}

/**
 * Returns the account of an identity, and creates, links or updates it if needed.
 * @throws AuthError 403 user_banned, 409 conflict, 422 signup_disabled or provider_email_needs_verification
 */
export async function openAccount(
  auth: Auth,
  db: Queryable,
  provider: Provider,
  identity: ExternalIdentity,
  refreshToken: string | null,
): Promise<User> {
  const data = identityData(provider, identity);
  const owner = await ownerOf(auth, db, provider, identity, data);
  if (isBanned(owner)) throw new AuthError(403, 'user_banned', 'User is banned');
  await saveIdentity(db, owner.id, provider.name, identity.sub, data);
  await db.query(
    'update auth.users set raw_user_meta_data = raw_user_meta_data || $2, updated_at = now() where id = $1',
    [owner.id, data],
  );
  if (provider.revokes && refreshToken !== null)
    await db.query(
      `insert into auth.provider_tokens (user_id, provider, refresh_token) values ($1, $2, $3)
       on conflict (user_id, provider) do update set refresh_token = excluded.refresh_token, updated_at = now()`,
      [owner.id, provider.name, encrypt(auth.tokens, refreshToken)],
    );
  return reread(db, owner);
}

/** Revokes an account's tokens at the providers that require it. If a provider cannot be reached, the deletion continues. */
export async function revokeProviderTokens(auth: Auth, userId: string): Promise<void> {
  const { rows } = await auth.database.pool.query<{
    provider: string;
    refresh_token: string;
  }>('select provider, refresh_token from auth.provider_tokens where user_id = $1', [userId]);
  for (const { provider: name, refresh_token } of rows) {
    const provider = auth.providers.get(name);
    const token = decrypt(auth.tokens, refresh_token);
    if (!provider || token === null) continue;
    await revokeToken(provider, token).catch(() =>
      auth.log.warn({ provider: name }, 'a provider token could not be revoked'),
    );
  }
}
