// Tests the parts of the desk outside the database: mails to moderators and users, the file of a decided photo, and the site's
// status.
import { createDecipheriv, pbkdf2Sync, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gunzipSync } from 'node:zlib';
import { pack as createPack } from 'tar-stream';
import { expect, test } from 'vitest';
import { startTestHost, type Client } from '../../../testing/test-host.ts';
import { currentVersion } from '#/product/identity.ts';
import { describeVersion, downloadBackup } from '#/product/site/site-status.ts';
import { draw } from '../../../testing/draw.ts';
import type { ImportReport, ImportRequest } from '../../../shared/import-report.ts';

const SMTP_PASSWORD = 'a-secret-of-the-mail-server';

const host = await startTestHost({
  CONTACT_EMAIL: 'us@parks.example',
  FCM_SERVICE_ACCOUNT: `{"private_key": "${SMTP_PASSWORD}"}`,
  TILE_URL: 'http://127.0.0.1:9/{z}/{x}/{y}.png',
  ROUTER_URL: `http://us:${SMTP_PASSWORD}@127.0.0.1:9/r?key=${SMTP_PASSWORD}`,
  BACKUP_DOWNLOAD: 'true',
  MAP_FILE: 'none.pmtiles',
  WEATHER_URL: 'http://127.0.0.1:9',
  GEOCODER_URL: 'http://127.0.0.1:9',
});

await host.startJobs();

/** Creates a user with a role and an AAL2 session, which the desk requires. */
async function member(role: string, language = 'en') {
  const { id } = await host.user(role);
  await host.sql(
    `with factor as (insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', now(), now()) returning id),
     spoken as (update public.users set language = $3 where id = $1)
     insert into public.user_roles (user_id, role, factor_id) select $1, $2, id from factor`,
    [id, role, language],
  );
  const claims = { role: 'authenticated', sub: id, aud: 'authenticated', aal: 'aal2' } as const;
  const token = await host.tokens.sign(claims, 3600);
  return { id, claims, token, client: host.client({ token }) };
}

async function approve(client: Client, type: string, id: string) {
  const { data } = await client.rpc('desk_claim', { p_type: type, p_id: id });
  const { version } = data as { version: string };
  return client.rpc('desk_decide', {
    p_type: type,
    p_id: id,
    p_approve: true,
    p_version: version,
  });
}

const mailsTo = (id: string) =>
  host.sql<{ subject: string; plain: string }>(
    'select subject, plain from auth.local_mails where recipient = $1 order by id',
    [`${id}@example.test`],
  );

test('the operator, not the moderator, gets the mail about a card that a moderator published', async () => {
  const moderator = await member('moderator');
  await host.sql(
    `select private.add_job('desk-mail', 'own_card', jsonb_build_object('user_id', $1::uuid, 'about', 'own_card'), $1)`,
    [moderator.id],
  );
  await expect
    .poll(() =>
      host.sql(`select subject, plain from auth.local_mails where recipient = 'us@parks.example'`),
    )
    .toMatchObject([{ plain: expect.stringContaining(`${host.url}/desk/decisions`) as string }]);
  expect(await mailsTo(moderator.id)).toEqual([]);
});

test('moderators get a mail in their language about a report, and the sanctioned user gets another mail', async () => {
  const moderator = await member('moderator', 'he');
  const [ann, bob] = [await host.user('Ann'), await host.user('Bob')];
  await ann.client.rpc('report_user', { p_user_id: bob.id, p_reason: 'spam' });
  await expect
    .poll(() => mailsTo(moderator.id))
    .toMatchObject([
      { subject: 'תור הניהול', plain: expect.stringContaining(`${host.url}/desk`) as string },
    ]);
  const { error } = await moderator.client.rpc('desk_impose_sanction', {
    p_type: 'user',
    p_id: bob.id,
    p_sanction: 'warn',
    p_reason: 'spam',
  });
  expect(error).toBeNull();
  await expect
    .poll(() => mailsTo(bob.id))
    .toMatchObject([
      { subject: 'A warning', plain: expect.stringContaining('us@parks.example') as string },
    ]);
  expect((await mailsTo(bob.id))[0]?.plain).toContain('it is advertising');
});

test('a town gets mails about verified hazards at its own confirmed address, in its language', async () => {
  const town = await member('moderator', 'he');
  const park = await host.park('Mail Park');
  await host.sql`select public.desk_set_role(${town.id}, 'town', 'Haifa', ${[park]})`;
  const set = await town.client.rpc('town_set_mail', { p_email: 'parks@example.test' });
  expect(set.error).toBeNull();
  await expect.poll(() => mailsTo('parks')).toHaveLength(1);
  const [mail] = await mailsTo('parks');
  expect(mail?.plain).toContain('בקשה מטעם \u2068Haifa\u2069');
  const code = /[0-9A-F]{5}(-[0-9A-F]{5}){3}/.exec(mail?.plain ?? '')?.[0];
  expect((await town.client.rpc('town_confirm_mail', { p_code: code ?? '' })).data).toBe(true);
  await host.sql`with report as (
      insert into private.live_reports (park_id, hazard, expires_at, verified_at)
      values (${park}, 'glass', now() + interval '1 day', now()) returning id
    ) select private.add_job('notify-of-hazard', id::text, jsonb_build_object('report_id', id)) from report`;
  await expect.poll(() => mailsTo('parks')).toHaveLength(2);
  expect((await mailsTo('parks'))[1]?.plain).toMatch(/Mail Park.*שברי זכוכית[^]*\/desk/);
});

test('authors of parks and reports get mails about the outcome, even if the mail server was down', async () => {
  const moderator = await member('moderator');
  const [contributor, bob] = [await host.user('Contributor'), await host.user('Bob')];
  const ann = await host.user('Ann Reported');
  await contributor.client.rpc('accept_terms', { p_licence: true });
  const { data: park } = await contributor.client.rpc('submit_park', {
    p_name: 'New corner',
    p_city: 'Haifa',
    p_address: '2 HaYam St',
    p_lat: 32.8,
    p_long: 35,
  });
  await bob.client.rpc('report_user', { p_user_id: ann.id, p_reason: 'spam' });
  await approve(moderator.client, 'park', String(park));
  await moderator.client.rpc('desk_impose_sanction', {
    p_type: 'user',
    p_id: ann.id,
    p_sanction: 'warn',
    p_reason: 'spam',
  });
  const mine = [contributor.id, bob.id];
  const due = () =>
    host.sql`update private.jobs set due_at = now() where type = 'desk-mail' and user_id = any (${mine}) returning id`;
  // Without a mail server, mails are stored in this table. While it is renamed, sending fails.
  await host.sql('alter table auth.local_mails rename to away');
  expect(await due()).toHaveLength(2);
  await host.sql(`select pg_notify('jobs', 'desk-mail')`);
  const waiting = () =>
    host.sql`select error is not null as failed from private.jobs where type = 'desk-mail' and user_id = any (${mine})`;
  await expect.poll(waiting).toEqual([{ failed: true }, { failed: true }]);
  await host.sql('alter table auth.away rename to local_mails');
  await due();
  await host.sql(`select pg_notify('jobs', 'desk-mail')`);
  const approved = { subject: 'Your park is on the map' };
  await expect.poll(() => mailsTo(contributor.id)).toMatchObject([approved]);
  const [mail] = await mailsTo(contributor.id);
  for (const text of ['New corner', `${host.url}/notifications`])
    expect(mail?.plain).toContain(text);
  await expect.poll(() => mailsTo(bob.id)).toMatchObject([{ subject: 'We looked at your report' }]);
  expect((await mailsTo(bob.id))[0]?.plain).not.toContain('Ann');
  // A mail is removed from the queue only after it was sent, so the test polls.
  await expect.poll(waiting).toEqual([]);
});

test("an approved photo's file is moved to where everybody reads it, and back when that is undone", async () => {
  const moderator = await member('moderator');
  const contributor = await host.user('Contributor');
  await contributor.client.rpc('accept_terms', { p_licence: true });
  await contributor.client.rpc('confirm_age');
  const name = `${await host.park()}/other/photo-${randomUUID()}.webp`;
  const bytes = await draw(30, 30).webp().toBuffer();
  await contributor.client.storage
    .from('pending-photos')
    .upload(name, bytes, { contentType: 'image/webp' });
  const status = async () =>
    (await fetch(host.client().storage.from('parks').getPublicUrl(name).data.publicUrl)).status;
  const { data } = await approve(moderator.client, 'photo', name);
  await expect.poll(status).toBe(200);
  await moderator.client.rpc('desk_undo', { p_decision_id: String(data) });
  await expect.poll(status).not.toBe(200);
  const queue = async () =>
    (await moderator.client.rpc('desk_queue', { p_types: ['photo'] })).data?.length;
  await expect.poll(queue).toBe(1);
});

test("only administrators can read the site's status, and it contains no secret", async () => {
  const read = (token: string) =>
    fetch(`${host.url}/site-status`, { headers: { authorization: `Bearer ${token}` } });
  const administrator = await member('administrator');
  const others = [(await host.user('User')).token, (await member('moderator')).token];
  for (const token of ['nonsense', ...others]) expect((await read(token)).status).toBe(404);
  expect((await fetch(`${host.url}/site-status`)).status).toBe(404);
  await host.sql(`insert into private.jobs (type, failed_at, error) values ('none', now(), 'x')`);
  await host.sql(`insert into private.jobs (type, every, done_at)
     values ('backup', '1 day', now() - interval '48 hours')`);
  const response = await read(administrator.token);
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).not.toContain(SMTP_PASSWORD);
  const parts = [
    { part: 'storage', state: 'ok', reason: null },
    { part: 'desk', state: 'ok', reason: null },
    { part: 'mail', state: 'off', reason: null },
    { part: 'backup', state: 'warn', reason: 'backupLate', hours: 48 },
    { part: 'weather', state: 'bad', reason: 'noResponse' },
  ];
  // The tile server is not checked, because the site has a map file.
  expect(text).not.toContain('"part":"tiles"');
  expect(JSON.parse(text)).toMatchObject({
    parts: expect.arrayContaining(parts.map((part) => expect.objectContaining(part))),
    notes: expect.arrayContaining([
      expect.stringMatching(/^MAP_FILE is "none.pmtiles", and there is no such file/),
      expect.stringMatching(/^SMTP_URL is not set/),
      expect.stringMatching(/^\d+ jobs were given up/),
    ]),
    settings: expect.arrayContaining([
      { name: 'CONTACT_EMAIL', value: 'us@parks.example', secret: false, from: 'default' },
      { name: 'FCM_SERVICE_ACCOUNT', value: null, secret: true, from: 'default' },
      { name: 'SMTP_URL', value: null, secret: false, from: 'default' },
      { name: 'ROUTER_URL', value: 'http://…@127.0.0.1:9/r?…', secret: false, from: 'default' },
    ]),
    backups: [],
    download: true,
  });
});

test('the version reports a newer release, or that there may be one', () => {
  const now = new Date('2027-01-01T00:00:00Z');
  const at = (day: string) => describeVersion(new Date(`${day}T00:00:00Z`), now, null);
  expect(at('2026-07-10')).toMatchObject({ state: 'ok', reason: null });
  expect(at('2026-07-01')).toMatchObject({ state: 'warn', reason: 'old' });
  expect(describeVersion(null, now, currentVersion())).toMatchObject({ state: 'ok', reason: null });
  expect(describeVersion(null, now, '99.10.0')).toMatchObject({
    state: 'warn',
    reason: 'newer',
    detail: expect.stringMatching(/ < 99\.10\.0$/),
  });
});

test('a backup is downloaded encrypted, without the secrets, and only after a recent login', async () => {
  const folder = path.join(host.settings.DATA_DIR, 'backups');
  await mkdir(folder, { recursive: true });
  const archive = createPack();
  for (const name of ['jwt-secret', 'push-key']) archive.entry({ name }, SMTP_PASSWORD);
  archive.entry({ name: 'database/people' }, 'Ann');
  archive.finalize();
  const file = path.join(folder, 'packpark-20261231-030000.tar.gz');
  await pipeline(archive, createGzip(), createWriteStream(file));
  const administrator = await member('administrator');
  const download = (token: string, passphrase = 'correct horse battery') =>
    fetch(`${host.url}/site-status`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ passphrase }),
    });
  expect((await download((await member('moderator')).token)).status).toBe(404);
  // If downloads are not allowed, the response is null, as if there were no backup.
  const off = { ...host, settings: { ...host.settings, BACKUP_DOWNLOAD: false } };
  const from = (passphrase: string) =>
    new Request(host.url, { method: 'POST', body: JSON.stringify({ passphrase }) });
  expect(await downloadBackup(off, { role: 'service_role' }, from('long enough it is'))).toBeNull();
  await expect(downloadBackup(off, { role: 'anon' }, from('short'))).rejects.toThrow();
  const rejected = await download(administrator.token);
  const { message } = (await rejected.json()) as { message: string };
  expect([rejected.status, message]).toEqual([403, 'reauthentication_needed']);
  const timestamp = Math.floor(Date.now() / 1000);
  const amr = ['totp', 'password'].map((method) => ({ method, timestamp }));
  const fresh = await host.tokens.sign({ ...administrator.claims, amr }, 3600);
  expect((await download(fresh, 'short')).status).toBe(400);
  const response = Buffer.from(await (await download(fresh)).arrayBuffer());
  expect(response.subarray(0, 8).toString()).toBe('Salted__');
  const key = pbkdf2Sync('correct horse battery', response.subarray(8, 16), 600_000, 48, 'sha256');
  const decipher = createDecipheriv('aes-256-cbc', key.subarray(0, 32), key.subarray(32));
  const zipped = Buffer.concat([decipher.update(response.subarray(16)), decipher.final()]);
  const tar = gunzipSync(zipped).toString();
  expect(tar).toContain('Ann');
  expect(tar).not.toContain(SMTP_PASSWORD);
  await expect
    .poll(() => mailsTo(administrator.id))
    .toMatchObject([{ subject: 'A backup was downloaded' }]);
});

test('administrators import a file in the browser, confirm only what looks odd, and undo it', async () => {
  const administrator = await member('administrator');
  const send = async (token: string, content: string, changes: Partial<ImportRequest> = {}) => {
    const form = new FormData();
    const options: ImportRequest = {
      step: 'import',
      ...{ file: 'haifa.csv', source: 'Haifa', licence: 'CC0', city: 'Haifa' },
      ...{ skipUnknown: false, pending: false, same: {}, new: [], ...changes },
    };
    form.set('metadata', JSON.stringify(options));
    form.set('file', new Blob([content]));
    const response = await fetch(`${host.url}/park-imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return {
      status: response.status,
      body: (await response.json()) as ImportReport,
    };
  };
  const right = 'name,id,lat,long\nOak,1,32.81,34.99\nElm,2,32.82,34.99\nBad,3,x,34.99\n';
  for (const { token } of [await host.user('User'), await member('moderator')])
    expect((await send(token, right)).status).toBe(404);

  const preview = await send(administrator.token, right, { step: 'preview' });
  expect(preview).toMatchObject({
    status: 200,
    body: {
      ...{ written: false, new: 2, rejected: 1 },
      // The report contains types and values, because the app formats the message in the reader's language.
      rejectedRows: [{ expected: { type: 'degrees', values: { from: -90, to: 90 } } }],
    },
  });
  const { body: imported } = await send(administrator.token, right);
  expect(imported).toMatchObject({
    written: true,
    rejectedRows: [{ row: 3, column: 'lat', value: 'x' }],
    places: [
      { row: 1, name: 'Oak', lat: 32.81, long: 34.99, outcome: 'new' },
      { row: 2, name: 'Elm', outcome: 'new' },
    ],
  });

  // In the second file, Oak has moved by more than 500 m, and Elm has been replaced by another park.
  const odd = 'name,id,lat,long\nOak,1,32.815,34.99\nAsh,2,32.9,34.99\n';
  const { body: reviewed } = await send(administrator.token, odd.replace('Oak,1', 'Oak,9'));
  expect(reviewed).toMatchObject({
    written: true,
    places: [{ outcome: 'new' }, { outcome: 'needsReview' }],
  });
  const far = 'name,id,lat,long\nParis,7,48.85,2.35\n';
  expect((await send(administrator.token, far)).body).toMatchObject({
    written: false,
    odd: [{ type: 'outside', count: 1, total: 1 }],
  });
  const anyway = await send(administrator.token, far, {
    step: 'import anyway',
  });
  expect(anyway.body.written).toBe(true);
  const decided = await send(administrator.token, odd.replace('Oak,1', 'Oak,9'), { new: ['2'] });
  expect(decided.body).toMatchObject({ written: true, needsReview: 0 });

  const unreadable = await send(administrator.token, 'name,lat,long,colour\nOak,32.8,35,red\n');
  expect(unreadable).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('colour') as string },
  });
  expect((await send(administrator.token, right, { step: 'now' as never })).status).toBe(400);

  const undone = await administrator.client.rpc('desk_undo_import', {
    p_import_id: anyway.body.id ?? '',
  });
  expect(undone.data).toMatchObject({ removed: 1 });
  const log = await administrator.client.rpc('desk_audit_log');
  expect(log.data?.filter(({ act }) => act === 'import')).toHaveLength(4);
  expect(await readdir(path.join(host.settings.DATA_DIR, 'storage/incoming'))).toEqual([]);
});
