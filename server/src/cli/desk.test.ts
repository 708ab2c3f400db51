// Tests that operators can moderate with the built command: parks, corrections, photos, reports, bans and roles.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, temporaryData } from '../../../testing/run-cli.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { draw } from '../../../testing/draw.ts';

const host = await startTestHost();

async function packpark(...args: string[]) {
  const result = await runCli(args, {
    DATABASE_URL: host.connectionString,
    DATA_DIR: temporaryData(),
    JWT_SECRET: 'a test secret with at least 32 characters',
    LOG_LEVEL: 'debug',
  });
  // Standard output must not contain log lines, because scripts parse it.
  expect(result.stdout).not.toMatch(/^\{/m);
  return { ...result, lines: result.stdout.trim().split('\n') };
}

async function contributor(name: string) {
  const user = await host.user(name);
  await user.client.rpc('accept_terms', { p_licence: true });
  await user.client.rpc('confirm_age');
  return user;
}

describe('parks', () => {
  test('a submitted park is listed as pending, approved, and then public', async () => {
    const ann = await contributor('Ann');
    const { data: id } = await ann.client.rpc('submit_park', {
      p_name: 'New Corner',
      p_city: 'Haifa',
      p_address: 'Sea 9',
      p_lat: 32.8,
      p_long: 34.9,
      p_language: 'en',
    });
    const seen = () => host.client().from('parks').select('id').eq('id', Number(id));
    expect((await seen()).data).toEqual([]);
    const { stdout } = await packpark('desk', 'list');
    const text = 'lat 32.8, city Haifa, long 34.9, name New Corner, address Sea 9';
    expect(stdout).toMatch(new RegExp(`^park:${id} .*\n    park: ${text}`, 'm'));
    await host.sql`update public.parks set created_at = now() - interval '25 hours' where id = ${Number(id)}`;
    await host.sql`insert into private.jobs (type, due_at, error) values ('desk-mail', now() + interval '1 hour', 'It is away')`;
    const { stdout: results } = await packpark('doctor');
    expect(results).toMatch(
      /^note +1 items are waiting for a moderator, the oldest for 25 hours\.$/m,
    );
    expect(results).toMatch(
      /^bad +Mails that could not be sent yet: 1, the oldest for .+: It is away\.$/m,
    );
    expect((await packpark('desk', 'approve', `park:${id}`)).stdout).toMatch(
      new RegExp(`^Approved park:${id}: [0-9a-f-]{36}$`, 'm'),
    );
    expect((await seen()).data).toEqual([{ id }]);
    const closed = await packpark('desk', 'close', String(id));
    expect((await seen()).data).toEqual([]);
    await packpark('desk', 'undo', closed.stdout.trim().split(': ')[1] ?? '');
    expect((await seen()).data).toEqual([{ id }]);
  });

  test('a suggestion and a photo are approved; a photo is rejected and its file removed', async () => {
    const ben = await contributor('Ben');
    const park = await host.park();
    await ben.client.rpc('suggest_park_details', { p_park_id: park, p_shade: 7 });
    const photo = `${park}/other/${randomUUID()}.webp`;
    const picture = await draw(30, 30).webp().toBuffer();
    const other = `${park}/other/${randomUUID()}.webp`;
    for (const path of [photo, other]) {
      const { error } = await ben.client.storage
        .from('pending-photos')
        .upload(path, picture, { contentType: 'image/webp' });
      expect(error).toBeNull();
    }
    const { lines } = await packpark('desk', 'list');
    expect(lines.some((line) => line.startsWith(`photo:${photo}`))).toBe(true);
    const correction = lines.find((line) => line.startsWith('correction:'))?.split(' ')[0] ?? '';
    expect((await packpark('desk', 'approve', correction, `photo:${other}`)).code).toBe(0);
    const { data } = await host.client().from('parks').select('shade').eq('id', park).single();
    expect(data).toEqual({ shade: 7 });
    const rejected = await packpark('desk', 'reject', `photo:${photo}`, '--reason', 'poor_photo');
    expect(rejected.code).toBe(0);
    // The photo's file remains until the rejection can no longer be undone.
    const files = () => host.sql('select bucket_id from storage.objects where name = $1', [photo]);
    expect(await files()).toEqual([{ bucket_id: 'pending-photos' }]);
    await host.sql(`update private.desk_decisions set decided_at = now() - interval '31 days'`);
    await host.sql('select private.reduce_history()');
    await host.functions.run('move-photos');
    expect(await files()).toEqual([]);
  });

  test('two parks are merged; an impossible merge is rejected with one sentence', async () => {
    const [from, into] = [await host.park(), await host.park()];
    const merged = await packpark('desk', 'merge', String(from), String(into));
    expect(merged.stdout).toContain(`Merged ${from} into ${into}: 0 visits, 0 reviews`);
    const same = await packpark('desk', 'merge', String(into), String(into));
    expect(same.stderr).toMatch(/^Name two parks, of which/m);
    const unknown = await packpark('desk', 'approve', 'park:999999');
    expect(unknown.stderr).toMatch(/^This no longer waits for a decision/m);
    expect([same, unknown, await packpark('desk')].map(({ code }) => code)).toEqual([1, 1, 1]);
  });
});

test('reports: listed without their reporters, then hidden or dismissed', async () => {
  const [author, reporter] = [await contributor('Author'), await contributor('Reporter')];
  const park = await host.park();
  const { data } = await author.client.rpc('save_review', {
    p_park_id: park,
    p_title: 'Buy now',
    p_content: 'Cheap',
    p_rank: 1,
    p_anonymous: true,
  });
  const { id: review } = data as { id: string };
  await host.sql('update public.reviews set public_rank = rank where id = $1', [review]);
  await reporter.client.rpc('report_review', { p_review_id: review, p_reason: 'spam' });
  const report = { p_user_id: author.id, p_reason: 'fake', p_note: 'a bot' } as const;
  await reporter.client.rpc('report_user', report);
  const { stdout } = await packpark('desk', 'list');
  for (const text of [`review:${review}`, 'title Buy now', 'note a bot'])
    expect(stdout).toContain(text);
  expect(stdout).not.toContain(reporter.id);
  // The output must not name the authors of anonymous reviews.
  expect(stdout.split(`review:${review}`)[1]?.split('\nuser:')[0]).not.toContain('Author');
  expect((await packpark('desk', 'reject', `review:${review}`, '--reason', 'spam')).code).toBe(0);
  const left = await host.client().from('park_reviews').select('id').eq('park_id', park);
  expect(left.data).toEqual([]);
  expect((await packpark('desk', 'approve', `user:${author.id}`)).code).toBe(0);
  expect((await packpark('desk', 'list')).lines).toEqual(['The queue is empty.']);
  expect((await packpark('desk', 'approve', `user:${author.id}`)).code).toBe(1);
});

test('users: banned by email, then unbanned', async () => {
  const email = 'löud@xn--bcher-kva.test';
  const password = 'a long enough password';
  await host.client().auth.signUp({ email, password });
  const logIn = async () =>
    (await host.client().auth.signInWithPassword({ email, password })).error?.code;
  expect((await packpark('users', 'ban', 'lo\u0308UD@BÜCHER.test', '--for', '2h')).code).toBe(0);
  expect(await logIn()).toBe('user_banned');
  const listed = await packpark('users', 'list', 'ÖUD@');
  expect(listed.stdout).toMatch(
    /^[0-9a-f-]{36} {2}\d{4}-\d\d-\d\d {2}löud@xn--bcher-kva\.test .* limited\n$/,
  );
  expect((await packpark('users', 'list', 'nobody')).stdout).toBe('No user matches.\n');
  expect((await packpark('users', 'unban', email)).code).toBe(0);
  expect(await logIn()).toBeUndefined();
  expect((await packpark('users', 'ban', 'nobody@example.test')).stderr).toMatch(
    /^There is no user with the id or email nobody@example\.test\.$/m,
  );
  expect((await packpark('users', 'ban', email, '--for', 'ever')).stderr).toContain(
    'is not a duration',
  );
  expect((await packpark('users', 'ban', email, '--reason', 'bark')).stderr).toMatch(
    /^A value is not valid: .*"bark"\. --help describes the values\.$/m,
  );
  const [unconfirmed] = await host.sql<{ id: string }>(
    `insert into auth.users (id, email) values (gen_random_uuid(), 'new@example.test') returning id`,
  );
  expect((await packpark('users', 'ban', unconfirmed?.id ?? '')).stderr).toMatch(
    /^The account was deleted, or has not confirmed its email yet\.$/m,
  );
  // An operator removes the second factor of a user who lost the authenticator app. The user is logged out everywhere and notified
  // by mail.
  await host.sql(
    `insert into auth.mfa_factors (user_id, factor_type, status) select id, 'totp', 'verified' from auth.users where email = $1`,
    [email],
  );
  expect((await packpark('users', 'remove-factor', email)).code).toBe(0);
  expect(await host.sql('select from auth.mfa_factors')).toEqual([]);
  const recipients = () =>
    host.sql(`select recipient from auth.local_mails where subject ~ 'login details were changed'`);
  await expect.poll(recipients).toEqual([{ recipient: email }]);
  expect((await packpark('users', 'remove-factor', email)).stderr).toContain('no second factor');
});

test('users: made an administrator, with a note that a second factor is missing, and demoted again', async () => {
  const ada = await host.user('Ada');
  const role = () => host.sql('select role from public.user_roles where user_id = $1', [ada.id]);
  const made = await packpark('users', 'role', ada.id, 'administrator');
  expect(made.stdout).toMatch(/administrator now\nCode: [0-9A-F-]{23}\n.*Two-step verification/);
  expect(await role()).toEqual([{ role: 'administrator' }]);
  await packpark('users', 'role', ada.id, 'none');
  expect(await role()).toEqual([]);
});

test('users: given the town role for a list of parks or an area, with a note about what is missing', async () => {
  const { id } = await host.user('Clerk');
  const give = (...more: string[]) => packpark('users', 'role', id, 'town', ...more);
  expect((await give('--parks', '3')).stderr).toContain('Name the town');
  expect((await give('--town', 'Haifa', '--parks', 'all')).stderr).toContain('ids with commas');
  const short = await give('--town', 'Haifa', '--area', '32.1,34.7 32.2');
  expect(short.stderr).toContain('three points');
  const given = await give('--town', 'Haifa', '--parks', '3,5', '--area', '32,34 33,34 33,35.5');
  expect(given.stdout).toMatch(/is town now\nCode: /);
  const towns = await host.sql(
    'select t.name, t.parks, t.area::text from private.towns t join public.user_roles r on r.town_id = t.id',
  );
  const area = '((34,32),(34,33),(35.5,33))';
  expect(towns).toEqual([{ name: 'Haifa', parks: ['3', '5'], area }]);
});

test('every command explains itself with --help', async () => {
  const { stdout } = await packpark('--help');
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name ?? '');
  expect(names).toContain('start');
  // Runs all commands in one process, because loading the commands takes a second.
  const script = `
    const { main } = await import(${JSON.stringify(path.join(ROOT, 'server/dist/cli.mjs'))});
    for (const name of ${JSON.stringify(names)}) await main([name, '--help']);`;
  const { stdout: help } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  expect([...help.matchAll(/^Usage: npx packpark ([a-z-]+)/gm)].map(([, name]) => name)).toEqual(
    names,
  );
});
