// Tests mails that the mail server does not accept: they are queued without secrets, sent when the server works again, and listed
// if they cannot be sent.
import { expect, onTestFinished, test } from 'vitest';
import { startMailServer } from '../../../../testing/mail-server.ts';
import { runCli, temporaryData } from '../../../../testing/run-cli.ts';
import { startTestHost } from '../../../../testing/test-host.ts';

const PASSWORD = 'correct horse';

const mail = await startMailServer();
const host = await startTestHost({ SMTP_URL: mail.url });
// Delays the retry of failed jobs until the test makes them due. Otherwise the number of attempts would depend on the machine's
// speed.
await host.sql`create function private.wait_longer() returns trigger language plpgsql as
  $$ begin new.due_at := now() + interval '1 hour'; return new; end $$;
  create trigger wait_longer before update on private.jobs for each row
    when (old.lease is not null and new.lease is null and new.error is not null and not old.again) execute function private.wait_longer()`;

async function loggedIn(email: string) {
  const client = host.client();
  const account = { email, password: PASSWORD };
  await host.service().auth.admin.createUser({ ...account, email_confirm: true });
  expect((await client.auth.signInWithPassword(account)).error).toBeNull();
  return client;
}
const isLate = async () => (await host.client().rpc('mail_is_late')).data;
const waiting = () =>
  host.sql<{ row: string; attempts: number; error: string | null; waits: boolean; due: number }>(
    `select to_jsonb(j)::text as row, attempts, error, due_at > now() as waits, extract(epoch from due_at)::float8 as due
     from private.jobs j where type = 'send-mail' and failed_at is null and lease is null order by id`,
  );
const packpark = (...args: string[]) =>
  runCli(args, {
    DATABASE_URL: host.connectionString,
    DATA_DIR: temporaryData(),
    SMTP_URL: mail.url,
  });

test('while the mail server is down a signup is queued and can be repeated immediately, and one mail is sent when the server is back', async () => {
  const [ann, bob] = ['ann@example.test', 'bob@example.test'];
  mail.setState('down');
  expect(await isLate()).toBe(false);
  // The site reports that mails are late. This must not reveal whether an email has an account.
  expect((await host.client().auth.resetPasswordForEmail('nobody@example.test')).error).toBeNull();
  await expect.poll(isLate).toBe(true);
  const signUp = (email: string) => host.client().auth.signUp({ email, password: PASSWORD });
  expect((await signUp(ann)).error).toBeNull();
  const late = { attempts: 1, error: 'The mail server cannot be used (ESOCKET)', waits: true };
  await expect.poll(waiting).toMatchObject([late]);
  const [first] = await waiting();
  // No mail was sent, so the minimum interval between two mails does not apply, whether or not the email has an account.
  expect((await signUp(ann)).error).toBeNull();
  expect((await signUp(bob)).error).toBeNull();
  expect((await host.client().auth.resetPasswordForEmail('nobody@example.test')).error).toBeNull();
  expect((await host.client().auth.resetPasswordForEmail('nobody@example.test')).error).toBeNull();
  // The repeated signup continues after its response, so the test polls for its effect.
  await expect.poll(async () => (await waiting())[0]?.due).toBeGreaterThan(first?.due ?? Infinity);
  await expect.poll(waiting).toMatchObject([late, late]);
  // A reader of the table or a backup finds neither links nor codes.
  for (const { row } of await waiting())
    expect(row).not.toMatch(/verify\?|pkce_|[0-9a-f]{56}|"\d{6}"/);

  const doctor = await packpark('doctor');
  expect(doctor.stdout).toMatch(
    /^bad +Mails that could not be sent yet: 2, the oldest for .+: The mail server cannot be used \(ESOCKET\)\.$/m,
  );
  const listed = await packpark('jobs', 'list');
  expect(listed.stdout).toMatch(
    /^send-mail +2 failing, .*The mail server cannot be used \(ESOCKET\)$/m,
  );

  mail.setState('up');
  // Makes the first mail due. Its success shows that the mail server works again, so the other mail is sent too.
  await host.sql`update private.jobs set due_at = now() where id = (select min(id) from private.jobs where type = 'send-mail')`;
  await host.sql(`select pg_notify('jobs', 'send-mail')`);
  const { code } = await mail.take(ann);
  await mail.take(bob);
  expect(mail.mails).toEqual([]);
  await expect.poll(waiting).toEqual([]);
  await expect.poll(isLate).toBe(false);
  const { data } = await host.client().auth.verifyOtp({ email: ann, token: code, type: 'signup' });
  expect(data.session).not.toBeNull();
  // From now on the minimum interval between two mails applies, to emails with and without an account.
  for (const email of [bob, 'stranger@example.test']) {
    const requestReset = async () => (await host.client().auth.resetPasswordForEmail(email)).error;
    expect(await requestReset()).toBeNull();
    expect(await requestReset()).toMatchObject({
      status: 429,
      code: 'over_email_send_rate_limit',
      message: expect.stringMatching(/only request this after \d+ seconds/),
    });
  }
  await mail.take(bob);
});

test('mails stay late while one of them is retried, with and without an account', async () => {
  await host.sql`insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), 'fay@example.test', now())`;
  for (const email of ['fay@example.test', 'unknown@example.test']) {
    const requestReset = async () => (await host.client().auth.resetPasswordForEmail(email)).error;
    mail.setState('down');
    expect(await requestReset()).toBeNull();
    await expect.poll(isLate).toBe(true);
    // During the next attempt the reported state does not change, because the mail server has not responded yet.
    mail.setState('silent');
    expect(await requestReset()).toBeNull();
    await expect.poll(() => mail.waiting()).toBe(1);
    expect(await isLate()).toBe(true);
    expect(await requestReset()).toBeNull();
    mail.setState('down');
    await expect
      .poll(
        () =>
          host.sql`select from private.jobs where (lease is not null or due_at <= now()) and type like '%-mail'`,
      )
      .toEqual([]);
    await host.sql(`delete from private.jobs where type in ('request-mail', 'send-mail')`);
    expect(await isLate()).toBe(false);
  }
  mail.setState('up');
});

test('a mail to a rejected recipient becomes a failed job, which operators can list, retry and delete', async () => {
  let rejected = true;
  mail.rejects = (emailAddress, command) =>
    rejected && command === 'RCPT TO' && /^eve/.test(emailAddress) ? 550 : null;
  const dead = () =>
    host.sql<{ id: string; error: string }>(
      `select id, error from private.jobs where type = 'send-mail' and failed_at is not null`,
    );
  await host.client().auth.signUp({ email: 'eve@example.test', password: PASSWORD });
  await expect.poll(dead).toHaveLength(1);
  const [letter] = await dead();
  expect(letter?.error).toBe('The mail server rejects the recipient (EENVELOPE 550)');
  const listed = await packpark('jobs', 'list');
  expect(listed.stdout).toContain(`${letter?.id}  send-mail`);
  expect(listed.stdout).not.toContain('eve@');
  expect((await packpark('jobs', 'retry', '0')).stderr).toContain(
    'There is no dead letter with the number 0: see "packpark jobs list".',
  );

  rejected = false;
  expect((await packpark('jobs', 'retry', letter?.id ?? '')).stdout.trim()).toBe(
    `Retrying ${letter?.id}\nRetrying 1 jobs.`,
  );
  expect((await mail.take('eve@example.test')).code).toMatch(/^\d{6}$/);
  rejected = true;
  await host.client().auth.signUp({ email: 'eve2@example.test', password: PASSWORD });
  await expect.poll(dead).toHaveLength(1);
  expect((await packpark('jobs', 'drop', 'all')).stdout).toMatch(
    /^Dropped \d+\nDropped 1 jobs\.\n$/,
  );
  expect(await dead()).toEqual([]);
});

test('a rejection after the data concerns one mail and does not make other mails late', async () => {
  mail.rejects = (emailAddress, command) =>
    command === 'DATA' ? Number(/^answer-(\d+)/.exec(emailAddress)?.[1]) || null : null;
  onTestFinished(() => void (mail.rejects = () => null));
  const signUp = (result: number) =>
    host.client().auth.signUp({ email: `answer-${result}@example.test`, password: PASSWORD });
  for (const result of [451, 554]) expect((await signUp(result)).error).toBeNull();
  const rejected = () =>
    host.sql`select error, failed_at is not null as dead from private.jobs where type = 'send-mail' and error is not null order by error`;
  await expect.poll(rejected).toEqual([
    { error: 'The mail server rejects the mail (EMESSAGE 451)', dead: false },
    { error: 'The mail server rejects the mail (EMESSAGE 554)', dead: false },
  ]);
  expect(await isLate()).toBe(false);
  // With status 421 the mail server closes the connection, so it does not accept other mails either.
  expect((await signUp(421)).error).toBeNull();
  await expect.poll(isLate).toBe(true);
  await host.sql(`delete from private.jobs where type = 'send-mail'`);
});

test('a new password and the end of a change of email delete queued mails with links', async () => {
  const client = await loggedIn('gil@example.test');
  const other = await loggedIn('hal@example.test');
  mail.setState('down');
  expect((await client.auth.updateUser({ email: 'gil2@example.test' })).error).toBeNull();
  expect((await client.auth.resetPasswordForEmail('gil@example.test')).error).toBeNull();
  expect((await other.auth.updateUser({ email: 'hal2@example.test' })).error).toBeNull();
  const late = { waits: true, error: expect.anything() };
  await expect.poll(waiting).toMatchObject([late, late, late, late, late]);
  mail.setState('up');
  await host.sql`update auth.users set email_change = '' where email = 'hal@example.test'`;
  expect((await client.auth.updateUser({ password: 'newer horse' })).error).toBeNull();
  expect(await waiting()).toHaveLength(2);
  await host.sql`update private.jobs set due_at = now() where type = 'send-mail'; select pg_notify('jobs', 'send-mail')`;
  await mail.take('gil@example.test', /login details were changed/);
  await expect
    .poll(() => host.sql(`select from private.jobs where type = 'send-mail'`))
    .toEqual([]);
  expect(mail.mails).toEqual([]);
});

test('a request for a mail is stored before the response, in the same form for every email, and processed later', async () => {
  await host.sql`insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), 'dan@example.test', now())`;
  // Delays the jobs, so that the test can read the stored requests, as they would be if the host stopped directly after its
  // response.
  await host.sql`create function private.hold() returns trigger language plpgsql as
    $$ begin new.due_at := now() + interval '1 hour'; return new; end $$;
    create trigger hold before insert on private.jobs for each row when (new.type = 'request-mail') execute function private.hold()`;
  const requestReset = (email: string) => {
    const { auth } = host.client();
    return Promise.all([
      auth.resetPasswordForEmail(email),
      host.client().auth.resend({ type: 'email_change', email: `x${email}` }),
      host
        .client()
        .auth.signInWithOtp({ email: `y${email}`, options: { shouldCreateUser: false } }),
    ]);
  };
  for (const email of ['dan@example.test', 'none@example.test'])
    for (const { error } of await requestReset(email)) expect(error).toBeNull();
  const stored = await host.sql<{ email: string; rest: string }>(
    `select payload ->> 'email' as email, (to_jsonb(j) - '{id,key,payload,created_at,due_at,expires_at}'::text[])::text
       || (payload - 'email') as rest from private.jobs j where type = 'request-mail' order by payload ->> 'wanted'`,
  );
  const restsOf = (name: string) =>
    stored.filter(({ email }) => email.includes(name)).map(({ rest }) => rest);
  expect(restsOf('dan@')).toHaveLength(3);
  expect(restsOf('dan@')).toEqual(restsOf('none@'));
  await host.sql`drop trigger hold on private.jobs;
    update private.jobs set due_at = now() where type = 'request-mail'; select pg_notify('jobs', 'request-mail')`;
  expect((await mail.take('dan@example.test')).code).toMatch(/^\d{6}$/);
  await expect
    .poll(() => host.sql(`select from private.jobs where type in ('request-mail', 'send-mail')`))
    .toEqual([]);
  expect(mail.mails).toEqual([]);
});
