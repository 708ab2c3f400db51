import type { Factor, User } from '#/host/auth/users.ts';

function time(value: Date | number | string | null): string | undefined {
  if (value === null) return undefined;
  // The database stores a permanent ban as infinity, which the driver returns as the number Infinity.
  return value === Infinity ? '9999-12-31T23:59:59.000Z' : new Date(value).toISOString();
}

/** GoTrue's JSON of an account. As in GoTrue, empty members are omitted. */
export const userJson = (user: User): Record<string, unknown> => ({
  id: user.id,
  aud: user.aud,
  role: user.role,
  email: user.email ?? '',
  email_confirmed_at: time(user.email_confirmed_at),
  invited_at: time(user.invited_at),
  phone: user.phone ?? '',
  phone_confirmed_at: time(user.phone_confirmed_at),
  confirmation_sent_at: time(user.confirmation_sent_at),
  confirmed_at: time(user.confirmed_at),
  recovery_sent_at: time(user.recovery_sent_at),
  new_email: user.email_change === '' ? undefined : (user.email_change ?? undefined),
  email_change_sent_at: time(user.email_change_sent_at),
  reauthentication_sent_at: time(user.reauthentication_sent_at),
  last_sign_in_at: time(user.last_sign_in_at),
  app_metadata: user.raw_app_meta_data,
  user_metadata: user.raw_user_meta_data,
  identities: user.identities.map((identity) => ({
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    last_sign_in_at: time(identity.last_sign_in_at),
    created_at: time(identity.created_at),
    updated_at: time(identity.updated_at),
    email: identity.email ?? undefined,
  })),
  factors: user.factors.length === 0 ? undefined : user.factors.map(factorJson),
  banned_until: time(user.banned_until),
  created_at: time(user.created_at),
  updated_at: time(user.updated_at),
  deleted_at: time(user.deleted_at),
  is_anonymous: user.is_anonymous,
});

/** GoTrue's JSON of a second factor, without its secret. */
export function factorJson(factor: Factor): Record<string, unknown> {
  return {
    id: factor.id,
    created_at: time(factor.created_at),
    updated_at: time(factor.updated_at),
    status: factor.status,
    friendly_name: factor.friendly_name ?? undefined,
    factor_type: factor.factor_type,
    phone: factor.phone ?? undefined,
  };
}
