// What operators decide with the built command: parks, suggestions, photos, reports and bans, seen through the API.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, temporaryData } from '../../testing/run-cli.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { ROOT } from '#/host/lib/paths.ts';

let host: TestHost;
let data: string;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

async function packpark(...args: string[]) {
  data = temporaryData();
  const result = await runCli(args, { DATABASE_URL: host.connectionString, DATA_DIR: data });
  return { ...result, lines: result.stdout.trim().split('\n') };
}

/** Somebody who may give things to the map. */
async function contributor(name: string) {
  const person = await host.user(name);
  await person.client.rpc('accept_terms', { p_licence: true });
  await person.client.rpc('confirm_age');
  return person;
}

async function approvedPark(): Promise<number> {
  const [park] = await host.sql<{ id: number }>(
    `insert into public.parks (lat, long, status) values (32.1, 34.8, 'approved') returning id`,
  );
  await host.sql(
    `insert into public.park_translations (park_id, language, name, city, address) values ($1, 'en', 'Known Park', 'Haifa', 'Sea 1')`,
    [park?.id],
  );
  return Number(park?.id);
}

describe('parks', () => {
  test('a submitted park waits, is approved, and then everybody sees it', async () => {
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
    const pending = await packpark('parks', 'pending');
    expect(pending.lines.find((line) => line.startsWith(`${id} `))).toContain(
      'New Corner, Sea 9, Haifa, at 32.8,34.9',
    );
    expect((await packpark('parks', 'approve', String(id))).lines).toEqual([`Approved ${id}`]);
    expect((await seen()).data).toEqual([{ id }]);
  });

  test('a suggestion and a photo are approved; a photo is rejected and its file removed', async () => {
    const ben = await contributor('Ben');
    const park = await approvedPark();
    await ben.client.rpc('suggest_park_details', { p_park_id: park, p_shade: 7 });
    const photo = `${park}/other/${randomUUID()}.webp`;
    const picture = await sharp({
      create: { width: 30, height: 30, channels: 3, background: 'tan' },
    })
      .webp()
      .toBuffer();
    const other = `${park}/other/${randomUUID()}.webp`;
    for (const path of [photo, other]) {
      const { error } = await ben.client.storage
        .from('pending-photos')
        .upload(path, picture, { contentType: 'image/webp' });
      expect(error).toBeNull();
    }
    const { lines } = await packpark('parks', 'pending');
    expect(lines.some((line) => line.startsWith(photo))).toBe(true);
    const suggestion =
      lines
        .find((line) =>
          line.includes(`for park ${park} (Known Park), by a newcomer, shade: nothing -> 7`),
        )
        ?.split(' ')[0] ?? '';
    expect((await packpark('parks', 'approve', suggestion)).lines).toEqual([
      `Approved ${suggestion}`,
    ]);
    expect(
      (await host.client().from('parks').select('shade').eq('id', park).single()).data,
    ).toEqual({ shade: 7 });
    expect((await packpark('parks', 'approve', other)).lines).toEqual([`Approved ${other}`]);
    const url = host.client().storage.from('parks').getPublicUrl(other).data.publicUrl;
    expect((await fetch(url)).status).toBe(200);
    expect((await packpark('parks', 'reject', photo)).lines).toEqual([`Rejected ${photo}`]);
    expect(await host.sql('select name from storage.objects where name = $1', [photo])).toEqual([]);
  });

  test('two parks are merged, a third is closed; what is impossible is said in a sentence', async () => {
    const [from, into] = [await approvedPark(), await approvedPark()];
    expect((await packpark('parks', 'merge', String(from), String(into))).lines).toEqual([
      `Merged ${from} into ${into}: 0 visits, 0 reviews, 0 favourites, 0 replaced reviews`,
    ]);
    expect(await packpark('parks', 'merge', String(into), String(into))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Name two parks, of which/m) as string,
    });
    expect((await packpark('parks', 'close', String(into), 'notDogPark')).lines).toEqual([
      `Closed ${into}`,
    ]);
  });

  test('an id that is nothing, or no action: one sentence', async () => {
    expect(await packpark('parks', 'approve', '999999')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is nothing with the id 999999/m) as string,
    });
    expect((await packpark('parks')).code).toBe(1);
  });
});

test('reports: listed without their reporters, then hidden or dismissed', async () => {
  const [author, reporter] = [await contributor('Author'), await contributor('Reporter')];
  const park = await approvedPark();
  const { data: review } = await author.client.rpc('save_review', {
    p_park_id: park,
    p_title: 'Buy now',
    p_content: 'Cheap',
    p_rank: 1,
    p_anonymous: true,
  });
  await reporter.client.rpc('report_review', { p_review_id: String(review), p_reason: 'spam' });
  await reporter.client.rpc('report_user', {
    p_user_id: author.id,
    p_reason: 'fake',
    p_note: 'a bot',
  });
  const { stdout } = await packpark('reports', 'list');
  expect(stdout).toContain(`${review}  review, reported 1×`);
  expect(stdout).toContain('as spam\n    Buy now: Cheap');
  expect(stdout).toContain('note: a bot');
  expect(stdout).not.toContain(reporter.id);
  expect((await packpark('reports', 'hide', String(review))).code).toBe(0);
  expect((await host.client().from('park_reviews').select('id').eq('park_id', park)).data).toEqual(
    [],
  );
  expect((await packpark('reports', 'dismiss', author.id)).code).toBe(0);
  expect((await packpark('reports', 'list')).lines).toEqual(['There are no open reports.']);
  expect((await packpark('reports', 'dismiss', author.id)).code).toBe(1);
});

test('hazards: listed without their reporters, then hidden', async () => {
  const reporter = await contributor('Reporter');
  const { data: hazard } = await reporter.client.rpc('report_hazard', {
    p_park_id: await approvedPark(),
    p_hazard: 'glass',
  });
  const { stdout } = await packpark('reports', 'hazards');
  expect(stdout).toContain(`${hazard}  glass at park`);
  expect(stdout).toContain('by a newcomer\n    not verified, confirmed 0×');
  expect(stdout).not.toContain(reporter.id);
  expect((await packpark('reports', 'hide', String(hazard))).lines).toEqual([`Hid ${hazard}`]);
  expect((await packpark('reports', 'hazards')).lines).toEqual(['There are no open hazards.']);
});

test('users: banned by email, then let in again', async () => {
  const email = 'loud@example.test';
  const password = 'a long enough password';
  await host.client().auth.signUp({ email, password });
  const logIn = async () =>
    (await host.client().auth.signInWithPassword({ email, password })).error?.code;
  expect((await packpark('users', 'ban', 'LOUD@example.test', '--for', '2h')).code).toBe(0);
  expect(await logIn()).toBe('user_banned');
  expect((await packpark('users', 'unban', email)).code).toBe(0);
  expect(await logIn()).toBeUndefined();
  expect((await packpark('users', 'ban', 'nobody@example.test')).stderr).toMatch(
    /^There is no user with the id or email nobody@example\.test\.$/m,
  );
  expect((await packpark('users', 'ban', email, '--for', 'ever')).stderr).toContain(
    'is no duration',
  );
});

test('every command says what it is for with --help', async () => {
  const { stdout } = await packpark('--help');
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name ?? '');
  expect(names).toContain('start');
  // All in one process: loading the commands anew for each of them takes a second.
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
