// Tests the operator's page of the desk: alerts and actions of administrators, and app errors without texts or users.
import { expect, test } from 'vitest';
import { createFixtures, errorCode } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin } = fixtures;

/** Returns the queued mails of one user and deletes them. */
const mailsTo = (id: string) =>
  admin.column(
    `with gone as (delete from private.jobs where type = 'desk-mail' and user_id = $1 returning payload ->> 'about' as about)
     select m.subject from gone, private.operator_mail($1, gone.about) m order by 1`,
    [id],
  );

test('administrators are notified of a full disk, an old backup and an overdue desk, of each once a day', async () => {
  const [moderator, ada, bad] = [
    await fixtures.moderator('Mo'),
    await fixtures.moderator('Ada', { role: 'administrator' }),
    await fixtures.user('Bad'),
  ];
  const watch = (full: boolean) => admin.rows('select private.watch_site($1)', [full]);
  await watch(false);
  expect(await mailsTo(ada.id)).toEqual([]);
  await moderator.call('report_user', { p_user_id: bad.id, p_reason: 'spam' });
  await admin.rows`update private.user_reports set created_at = now() - interval '25 hours'`;
  await admin.rows`insert into private.jobs (type, key, every, done_at) values ('backup', '', '1 day', now() - interval '3 days')`;
  await watch(true);
  await watch(true);
  const all = [
    'Something has waited for more than a day',
    'The disk is filling up',
    'There is no recent backup',
  ];
  expect(await mailsTo(ada.id)).toEqual(all);
  expect(await mailsTo(moderator.id)).toEqual([]);
  await watch(true);
  expect(await mailsTo(ada.id)).toEqual([]);
  await admin.rows(`update private.alarms set notified_at = now() - interval '25 hours'`);
  await watch(true);
  expect(await mailsTo(ada.id)).toEqual(all);
});

test('a second factor can be removed after a recent login, never that of a member of the desk', async () => {
  const [stale, fresh, moderator, lost] = [
    await fixtures.moderator('Old', { role: 'administrator' }),
    await fixtures.moderator('Ada', { role: 'administrator', fresh: true }),
    await fixtures.moderator('Mo', { fresh: true }),
    await fixtures.user('Lost'),
  ];
  await admin.rows`insert into auth.mfa_factors (user_id, factor_type, status) values (${lost.id}, 'totp', 'verified')`;
  const remove = (who: typeof stale, of: string) =>
    who.call('desk_remove_factors', { p_user_id: of });
  expect(await errorCode(remove(moderator, lost.id))).toBe('42501');
  expect(await errorCode(remove(stale, lost.id))).toBe('reauthentication_needed');
  expect(await errorCode(remove(fresh, moderator.id))).toBe('42501');
  expect(await remove(fresh, lost.id)).toBe(true);
  expect(await remove(fresh, lost.id)).toBe(false);
  // The user gets a mail, and the audit log names the administrator.
  expect(await admin.rows(`select type from private.jobs where user_id = $1`, [lost.id])).toEqual([
    { type: 'send-change-mail' },
  ]);
  expect(await fresh.rows('select actor, act, user_name from desk_audit_log() limit 1')).toEqual([
    { actor: 'Ada', act: 'remove_factors', user_name: 'Lost' },
  ]);
});

test('a backup can be downloaded only after a recent login, and all administrators are notified', async () => {
  const role = 'administrator';
  const [stale, phone, fresh] = [
    await fixtures.moderator('Old', { role }),
    await fixtures.moderator('Pia', { role, fresh: true, factor: 'mfa/phone' }),
    await fixtures.moderator('Ada', { role, fresh: true }),
  ];
  expect(await errorCode(stale.call('desk_allow_download'))).toBe('reauthentication_needed');
  await phone.call('desk_allow_download');
  await fresh.call('desk_allow_download');
  for (const { id } of [stale, phone, fresh])
    expect(await mailsTo(id)).toEqual(['A backup was downloaded']);
  await fresh.call('desk_back_up');
  expect(await fresh.rows('select act from desk_audit_log() limit 2')).toEqual([
    { act: 'back_up' },
    { act: 'download_backup' },
  ]);
});

test("a test mail goes to the caller's own address, once a minute", async () => {
  const ada = await fixtures.moderator('Ada', { role: 'administrator' });
  await ada.call('desk_send_test_mail');
  expect(await errorCode(ada.call('desk_send_test_mail'))).toBe('too_many');
  expect(await mailsTo(ada.id)).toEqual(['Test email']);
});

test('errors of the app are counted by type and version, and nobody can fill the table', async () => {
  const ada = await fixtures.moderator('Ada', { role: 'administrator' });
  const report = (type: string, version = '1.0.0') =>
    fixtures.anonymous.call('report_app_error', { p_type: type, p_version: version });
  for (const type of ['TypeError', 'TypeError', 'RangeError']) await report(type);
  expect(await errorCode(report('Cannot read <b>Ann</b>'))).toBe('23514');
  const counted = await ada.rows(`select type, version, count from desk_app_errors()`);
  expect(counted).toEqual([
    { type: 'TypeError', version: '1.0.0', count: 2 },
    { type: 'RangeError', version: '1.0.0', count: 1 },
  ]);
  await admin.rows`insert into private.app_errors (type, version) select 'Made', 'v' || i from generate_series(1, 300) i`;
  for (const type of ['One', 'RangeError']) await report(type);
  expect(
    await admin.rows(
      `select type, count from private.app_errors where type in ('One', 'RangeError')`,
    ),
  ).toEqual([{ type: 'RangeError', count: 2 }]);
});
