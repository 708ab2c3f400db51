// Notifies users by mail that the credentials of their account changed, and lets them revert the change for three days (/not-me).
import { createHash, randomBytes } from 'node:crypto';
import { inTransaction } from '#/host/db/transaction.ts';
import type { Job } from '#/host/jobs/job-queue.ts';
import { languageOf } from '#/host/auth/auth-mails.ts';
import type { Auth, Handler, Queryable } from '#/host/auth/context.ts';
import { linkLanguage, linkPage } from '#/host/auth/link-page.ts';
import { countAttempt, perIp } from '#/host/auth/auth-limits.ts';
import { endSessions } from '#/host/auth/sessions.ts';
import { endPending, saveEmailIdentity } from '#/host/auth/credentials.ts';
import { findUserById, type User } from '#/host/auth/users.ts';

export const CHANGE_JOB = 'send-change-mail';
export const REVERT_HOURS = 72;

interface QueuedChange {
  changeId: string;
  userId: string;
  to: string;
}

/**
 * Records a change of password, email or factor, and queues the mail about it.
 * @param user the account before the change; the mail goes to its email, and reverting restores it
 * @param newEmail a second recipient
 */
export async function recordChange(
  auth: Auth,
  db: Queryable,
  user: User,
  newEmail?: string,
): Promise<void> {
  for (const to of [user.email, newEmail]) {
    if (!user.email || !to) continue;
    const { rows } = await db.query<{ id: string }>(
      'insert into auth.account_changes (user_id, email) values ($1, $2) returning id',
      [user.id, user.email],
    );
    const changeId = rows[0]?.id ?? '';
    const payload: QueuedChange = { changeId, userId: user.id, to };
    const job = { key: changeId, payload, userId: user.id, lifetime: REVERT_HOURS * 3600 };
    await auth.jobs.add(CHANGE_JOB, job, db);
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/**
 * Sends one mail. Its link is created now, so that no link is stored in the queue.
 * @throws JobError if the mail server did not accept it
 */
export async function mailChange(auth: Auth, { payload }: Job): Promise<void> {
  const { changeId, userId, to } = payload as QueuedChange;
  const db = auth.database.pool;
  const token = randomBytes(28).toString('hex');
  const user = await findUserById(db, userId);
  const { rowCount } = await db.query(
    'update auth.account_changes set token_hash = $2 where id = $1',
    [changeId, hashOf(token)],
  );
  if (!user || rowCount === 0) return;
  const language = languageOf(auth, user, auth.product.languages[0]);
  const { subject, changed, notMe } = auth.product.accountChange(language);
  const link = `${auth.siteUrl}/auth/v1/not-me?token=${token}`;
  await auth.mailer.write({ to, language, subject, lines: [changed, notMe], link });
}

/**
 * Ends all sessions and reverts email, factors, recovery codes and provider logins to their state before the change. The password
 * is removed, and no old password is restored. Revert links of later changes are deleted, because those changes were made by the
 * attacker.
 */
async function revertChange(db: Queryable, token: string): Promise<boolean> {
  const { rows } = await db.query<{ user_id: string; email: string; created_at: Date }>(
    `delete from auth.account_changes where token_hash = $1 and created_at > now() - make_interval(hours => $2)
     returning user_id, email, created_at`,
    [hashOf(token), REVERT_HOURS],
  );
  const change = rows[0];
  if (!change) return false;
  const { user_id: id, email } = change;
  await endPending(db, id);
  // Another user may have signed up with the old email in the meantime. If that user has not confirmed the email, that user's
  // account is deleted, so that this account can have its email back.
  await db.query(
    'delete from auth.users where lower(email collate "C") = lower($2 collate "C") and id <> $1 and email_confirmed_at is null',
    [id, email],
  );
  const updated = await db.query<{ email: string | null }>(
    `with since as (select date_trunc('milliseconds', $3::timestamptz) as since),
       changes as (delete from auth.account_changes using since where user_id = $1 and created_at >= since),
       factors as (delete from auth.mfa_factors using since where user_id = $1 and (status = 'unverified' or updated_at >= since)),
       codes as (delete from auth.mfa_recovery_codes using since where user_id = $1 and created_at >= since),
       providers as (delete from auth.identities using since where user_id = $1 and provider <> 'email' and created_at >= since)
     update auth.users set encrypted_password = null, updated_at = now(), email = case when not exists
       (select from auth.users where lower(email collate "C") = lower($2 collate "C") and id <> $1) then $2 end
     where id = $1 returning email`,
    [id, email, change.created_at],
  );
  // If another account has confirmed the old email in the meantime, this account is left without an email, because its new email
  // belongs to the attacker.
  if (updated.rows[0]?.email) await saveEmailIdentity(db, id, email, true);
  else
    await db.query("delete from auth.identities where user_id = $1 and provider = 'email'", [id]);
  await endSessions(db, id, 'global', null);
  return true;
}

/** GET /not-me: a page with a button. Mail scanners open links, so GET changes nothing. */
export const showNotMe: Handler = (auth, call) => {
  const { title, button } = auth.product.accountChange(linkLanguage(auth, call));
  return Promise.resolve(linkPage(auth, call, { title, button }));
};

export const notMe: Handler = async (auth, call) => {
  await countAttempt(auth, [perIp(auth, call, 'not me')]);
  const token = call.url.searchParams.get('token') ?? '';
  const done = await inTransaction(auth.database.pool, (db) => revertChange(db, token));
  const texts = auth.product.accountChange(linkLanguage(auth, call));
  const text = done ? texts.done : texts.expired;
  return linkPage(auth, call, { title: texts.title, text, status: done ? 200 : 410 });
};
