// Tests what other users learn about a user's presence: each cell of the tables in docs/security.md.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  addDog,
  addVisitPhoto,
  createFixtures,
  join,
  errorCode,
  type Caller,
  type TestUser,
  subscribe,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous } = fixtures;

const wants = ({ id }: TestUser) =>
  admin.rows`insert into notifications_preferences (user_id, friend_there) values (${id}, true)`;
const tell = () =>
  admin.rows`with due as (update private.jobs set due_at = now() where type = 'notify-of-arrival' returning id)
     select count(*) from due`;

/** Returns true if this caller got a notification of this type about Ann's visits. */
const told = (who: Caller, type: string, { id }: TestUser) =>
  who
    .rows('select from notifications where type::text = $1 and sender_id = $2', [type, id])
    .then((rows) => rows.length > 0);

/** The first user creates a weekly meeting, and the others, who are friends, join it. */
async function makePackTime(park: number, [host, ...guests]: readonly [TestUser, ...TestUser[]]) {
  const id = await host.call('make_pack_time', {
    p_park_id: park,
    p_weekday: 2,
    p_starts: '18:00',
  });
  for (const guest of guests) {
    await fixtures.befriend(host, guest);
    await guest.call('respond_to_pack_time', { p_pack_time_id: id, p_comes: true });
  }
  await fixtures.visited(park, [host, ...guests], 40);
  return id;
}

/** Creates nineteen more accounts that do the same as Eve, like one attacker with twenty accounts. */
async function twenty(ann: TestUser, eve: TestUser): Promise<Caller> {
  const accounts = [eve];
  while (accounts.length < 20) accounts.push(await fixtures.user('Another'));
  for (const account of accounts) {
    await wants(account).catch(() => undefined);
    await admin.rows(
      `insert into favourite_parks (user_id, park_id) select $1, park_id from favourite_parks where user_id = $2
       on conflict do nothing`,
      [account.id, eve.id],
    );
    await account.call('send_friend_request', { p_user_id: ann.id });
  }
  const any = async <Told>(asked: (account: TestUser) => Promise<Told>): Promise<Told> => {
    const answers: Told[] = [];
    let refused: unknown;
    for (const account of accounts)
      await asked(account).then(
        (told) => answers.push(told),
        (error: unknown) => (refused = error),
      );
    const told = answers.find((one) => one !== null && JSON.stringify(one) !== '[]');
    if (answers.length === 0) throw refused;
    return told ?? (answers[0] as Told);
  };
  return {
    rows: (...sql) => any((account) => account.rows(...sql)),
    value: (...sql) => any((account) => account.value(...sql)),
    call: (name, parameters) => any((account) => account.call(name, parameters)),
  } as Caller;
}

type Arrange = (ann: TestUser, eve: TestUser, dog: string) => Promise<Caller>;

/** Makes Eve a friend of Ann, runs `then`, and returns Eve. */
const befriended =
  (then?: (ann: TestUser, eve: TestUser) => Promise<unknown>): Arrange =>
  async (ann, eve) => {
    await fixtures.befriend(ann, eve);
    await then?.(ann, eve);
    return eve;
  };
/** Makes Eve a keeper or walker of Ann's dog, runs `then`, and returns Eve. */
const joined =
  (role: string, then?: (ann: TestUser, eve: TestUser, dog: string) => Promise<unknown>): Arrange =>
  async (ann, eve, dog) => {
    await join(ann, dog, eve, role);
    await then?.(ann, eve, dog);
    return eve;
  };
const blocks = (who: TestUser, { id }: TestUser) => who.call('block_user', { p_user_id: id });

/** For each relationship to Ann, a function that creates the observer. */
const WHO = {
  friend: befriended(),
  'friend without the switch': befriended(
    (_, { id }) =>
      admin.rows`update notifications_preferences set friend_there = false where user_id = ${id}`,
  ),
  'friend, while I hide': befriended(
    ({ id }) => admin.rows`update users set hidden = true where id = ${id}`,
  ),
  'ex-friend': befriended((ann, eve) => ann.call('unfriend', { p_user_id: eve.id })),
  'user I blocked': befriended(blocks),
  'user who blocked me': befriended((ann, eve) => blocks(eve, ann)),
  stranger: (_, eve) => Promise.resolve(eve),
  'twenty accounts': twenty,
  visitor: () => Promise.resolve(anonymous),
} satisfies Record<string, Arrange>;

const ask = async (ann: TestUser, dog: string, caller: Caller) => {
  const secret = await ann.call('make_dog_invite', { p_dog_id: dog, p_role: 'keeper' });
  await caller.call('dog_invite', { p_secret: secret, p_request: true });
  return caller;
};

/** For each relationship to Ann's dog, a function that creates the observer. */
const USERS = {
  keeper: joined('keeper'),
  walker: joined('walker'),
  'walker, after the last day': joined(
    'walker',
    (_, { id }) =>
      admin.rows`update private.dog_carers set ends_at = now() - interval '1 second' where user_id = ${id}`,
  ),
  'former keeper': joined('keeper', (ann, eve, dog) =>
    ann.call('remove_dog_carer', { p_dog_id: dog, p_user_id: eve.id }),
  ),
  'keeper I blocked': joined('keeper', blocks),
  'unconfirmed applicant': (ann, eve, dog) => ask(ann, dog, eve),
  friend: WHO.friend,
  'ex-friend': WHO['ex-friend'],
  stranger: WHO.stranger,
  'twenty accounts': async (ann, eve, dog) => ask(ann, dog, await twenty(ann, eve)),
  visitor: WHO.visitor,
} satisfies Record<string, Arrange>;

const FINDER = 'finder with the tag';

/** Compares a table of docs/security.md with the test results. A row may apply to several roles. */
function expectTable(first: string, found: { name: string; cells: boolean[] }[]): void {
  const lines = readFileSync('docs/security.md', 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${first} `)) + 2;
  const rows = lines.slice(start, lines.indexOf('', start)).flatMap((line) => {
    const [names = '', ...cells] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    return names.split(' / ').map((name) => [name, ...cells]);
  });
  expect(rows.sort()).toEqual(
    found.map(({ name, cells }) => [name, ...cells.map((is) => (is ? 'yes' : 'no'))]).sort(),
  );
}

test('each cell of the table about company in docs/security.md is correct', async () => {
  const found: { name: string; cells: boolean[] }[] = [];
  const all: Record<string, Arrange> = { 'former keeper': USERS['former keeper'], ...WHO };
  for (const [name, arrange] of Object.entries(all)) {
    const park = await fixtures.park();
    const [ann, bob, cem, eve] = await fixtures.users('Ann', 'Bob', 'Cem', 'Eve');
    await fixtures.regulars([ann, bob, cem]);
    for (const user of [ann, eve]) await wants(user);
    await admin.rows`insert into favourite_parks (user_id, park_id) values (${eve.id}, ${park})`;
    await makePackTime(park, [ann, bob, cem]);
    const who = await arrange(ann, eve, await addDog(ann));
    const knows = async (type: string) => {
      await tell();
      await admin.rows('select private.notify_of_arrivals()');
      return who === anonymous ? false : told(who, type, ann);
    };
    const checkIn = (place: object = {}) => ann.call('check_in', { p_park_id: park, ...place });
    await checkIn({ p_location: { lat: 31, long: 34.8, accuracy: 10 } });
    const coming = await knows('friendComing');
    await checkIn({ p_arrives_in: 10 });
    expect(await knows('friendComing'), name).toBe(coming);
    await checkIn();
    const there = await knows('friendThere');
    const here = [
      await who.call('park_status', { p_park_id: park }),
      await who.call('friends_now').catch(() => null),
    ];
    const packs = await who.call('park_pack_times', { p_park_id: park });
    const cells = [
      JSON.stringify(here).includes(ann.id),
      coming,
      there,
      JSON.stringify(packs).includes(ann.id),
      (packs as unknown[]).length > 0,
    ];
    found.push({ name, cells });
  }
  expectTable('my presence', found);
});

test('each cell of the table about friend codes in docs/security.md is correct', async () => {
  const found: { name: string; cells: boolean[] }[] = [];
  const { keeper, walker, 'former keeper': former } = USERS;
  const { 'friend without the switch': _, ...others } = WHO;
  const all: Record<string, Arrange> = {
    ...{ keeper, walker, 'former keeper': former, ...others },
    'stranger, while I hide': async (ann, eve) => {
      await admin.rows`update users set hidden = true where id = ${ann.id}`;
      return eve;
    },
  };
  for (const [name, arrange] of Object.entries(all)) {
    const [ann, eve] = await fixtures.users('Ann', 'Eve');
    const dog = await addDog(ann, 'Luna');
    const who = await arrange(ann, eve, dog);
    const photo = 'data:image/webp;base64,UklGRg==';
    const secret = await ann.call('make_friend_code', { p_dog_id: dog, p_photo: photo });
    const parameters = { p_secret: secret, p_device: 'a'.repeat(32) };
    const card = await who.call('scan_friend_code', { ...parameters, p_keep: true });
    const elsewhere = await who.call('scan_friend_code', {
      ...parameters,
      p_device: 'b'.repeat(32),
    });
    const text = JSON.stringify(card);
    expect([ann.id, dog].filter((id) => text.includes(id))).toEqual([]);
    const asked = await who.call('use_friend_code', parameters).catch(() => null);
    const cells = [
      text.includes('Luna') && text.includes(photo),
      text.includes('Ann'),
      asked === 'outgoing',
      elsewhere !== null ||
        (asked !== null && (await who.call('scan_friend_code', parameters)) !== null),
    ];
    found.push({ name, cells });
  }
  expectTable('my friend code', found);
});

/** Returns the visit photos of the dog that the caller can read, from the list and from storage. */
async function visitPhotosOf(dog: string, who: Caller) {
  const files = await who.rows(
    `select o.*, o.id as object from storage.objects o where bucket_id = 'visit-photos' order by ctid`,
  );
  const listed = await who.rows('select * from visit_photos($1)', [dog]).catch(() => []);
  const photos = listed as { id: string; park_id: string | null; visited_on: string | null }[];
  return { photos, files: files as { name: string; version: string | null }[] };
}

test('each cell of the table about photos of visits in docs/security.md is correct', async () => {
  const found: { name: string; cells: boolean[] }[] = [];
  const hasPhoto = (ann: TestUser) =>
    admin.value`select check_in_id from private.visit_photos where author = ${ann.id}`;
  const all: Record<string, Arrange> = {
    keeper: USERS.keeper,
    walker: USERS.walker,
    'former keeper': USERS['former keeper'],
    'friend who walks my dog': async (ann, eve, dog) => {
      await fixtures.befriend(ann, eve);
      return await USERS.walker(ann, eve, dog);
    },
    'friend, if I undo the visit': befriended(async (ann) =>
      ann.call('undo_check_in', { p_visit_id: await hasPhoto(ann) }),
    ),
    'friend, if I remove it': befriended(async (ann) => {
      const photo = await admin.value`select id from private.visit_photos where author = ${ann.id}`;
      await ann.call('remove_visit_photo', { p_photo_id: photo });
    }),
    'friend, if I remove the dog': async (ann, eve, dog) => {
      await fixtures.befriend(ann, eve);
      await ann.call('delete_dog', { dog_id: dog });
      return eve;
    },
    'friend, if I hand over the dog': async (ann, eve, dog) => {
      const kay = await fixtures.user('Kay');
      for (const owner of [ann, kay]) await fixtures.befriend(owner, eve);
      await join(ann, dog, kay);
      await kay.call('offer_to_take_over', { p_dog_id: dog, p_offer: true });
      await ann.call('hand_over_dog', { p_dog_id: dog, p_user_id: kay.id });
      expect(await admin.value`select owner from dogs where id = ${dog}`).toBe(kay.id);
      expect(await admin.rows`select from private.visit_photos where dog_id = ${dog}`).toEqual([]);
      return eve;
    },
    ...WHO,
  };
  for (const [name, arrange] of Object.entries(all)) {
    const park = await fixtures.park();
    const [ann, eve] = await fixtures.users('Ann', 'Eve');
    for (const user of [ann, eve]) await wants(user);
    const dog = await addDog(ann);
    const visit = (await ann.call('check_in', { p_park_id: park, p_dog_ids: [dog] })) as {
      check_in_id: string;
    };
    const id = await addVisitPhoto(ann, visit.check_in_id, dog);
    const who = await arrange(ann, eve, dog);
    const { files, photos } = await visitPhotosOf(dog, who);
    expect(
      files.map((file) => file.name),
      name,
    ).toEqual(photos.map((photo) => photo.id));
    // The responses contain neither the ID of the visit or the park nor a date.
    expect(JSON.stringify([files, photos])).not.toMatch(
      new RegExp(`20\\d\\d-|${visit.check_in_id}|"${park}"`),
    );
    const change = (p_shows_visit: boolean) => ({ p_photo_id: id, p_shows_visit, p_is_kept: true });
    const changes = [
      await who.call('set_visit_photo', change(true)).catch(() => false),
      await who.call('remove_visit_photo', { p_photo_id: id }).catch(() => false),
    ];
    await ann.call('set_visit_photo', change(true));
    const shown = (await visitPhotosOf(dog, who)).photos;
    expect(JSON.stringify(shown)).not.toContain('"is_kept":true');
    const cells = [
      photos.length > 0,
      photos.some((one) => one.park_id !== null || one.visited_on !== null),
      shown.some((one) => Number(one.park_id) === park && one.visited_on !== null),
      changes.includes(true),
    ];
    found.push({ name, cells });
  }
  expectTable('my photo of a visit', found);
});

test('only the owner of a dog on the visit adds its photo, which is listed once it is uploaded', async () => {
  const [ann, eve, kay] = await fixtures.users('Ann', 'Eve', 'Kay');
  await fixtures.befriend(ann, eve);
  const [dog, atHome, eves] = [await addDog(ann), await addDog(ann), await addDog(eve)];
  for (const each of [dog, atHome]) await join(ann, each, kay);
  const park = await fixtures.park();
  const checkIn = async (who: TestUser, ...dogs: string[]) => {
    const made = await who.call('check_in', { p_park_id: park, p_dog_ids: dogs });
    return (made as { check_in_id: string }).check_in_id;
  };
  const visit = await checkIn(ann, dog);
  const [evesVisit, kaysVisit] = [await checkIn(eve, eves), await checkIn(kay, atHome)];
  const add = (who: Caller, p_visit_id: unknown, p_dog_id: string) =>
    who.call('add_visit_photo', { p_visit_id, p_dog_id });
  for (const [who, named, which] of [
    [eve, visit, dog],
    [eve, visit, eves],
    [eve, evesVisit, dog],
    [kay, visit, dog],
    [kay, kaysVisit, atHome],
    [ann, kaysVisit, atHome],
    [ann, visit, atHome],
    [ann, randomUUID(), dog],
  ] as const)
    expect(await errorCode(add(who, named, which))).toBe('dog_not_found');
  const id = await add(ann, visit, dog);
  expect(await add(ann, visit, dog)).toBe(id);
  expect(await visitPhotosOf(dog, eve)).toEqual({ photos: [], files: [] });
  const upload = (who: Caller, name: unknown) =>
    errorCode(
      who.rows(`insert into storage.objects (bucket_id, name) values ('visit-photos', $1)`, [name]),
    );
  const rejected = [await upload(eve, id), await upload(eve, randomUUID())];
  expect(rejected).toEqual(['42501', '42501']);
  expect(await upload(ann, String(id).toUpperCase())).toBe('42501');
  await addVisitPhoto(ann, visit, dog);
  expect((await visitPhotosOf(dog, eve)).photos).toMatchObject([{ id }]);
  // After the photo is removed, its name cannot be used again.
  await ann.call('remove_visit_photo', { p_photo_id: id });
  await admin.rows`delete from storage.objects where name = ${id}`;
  expect(await upload(ann, id)).toBe('42501');

  await admin.rows`update check_ins set started_at = now() - interval '25 hours' where id = ${visit}`;
  expect(await errorCode(add(ann, visit, dog))).toBe('dog_not_found');
  await admin.rows`insert into private.visit_photos (author, dog_id) select ${eve.id}, ${eves} from generate_series(1, 300)`;
  expect(await errorCode(add(eve, evesVisit, eves))).toBe('too_many');
});

test('photos of visits are deleted after 90 days, unless the author keeps them', async () => {
  const ann = await fixtures.user('Ann');
  const [kept, old] = [await addDog(ann, 'Kept'), await addDog(ann, 'Old')];
  const park = await fixtures.park();
  const { check_in_id: visit } = (await ann.call('check_in', {
    p_park_id: park,
    p_dog_ids: [kept, old],
  })) as { check_in_id: string };
  const [keptId, oldId] = [
    await addVisitPhoto(ann, visit, kept),
    await addVisitPhoto(ann, visit, old),
  ];
  await ann.call('set_visit_photo', { p_photo_id: keptId, p_shows_visit: true, p_is_kept: true });
  await admin.rows`update private.visit_photos set created_at = now() - interval '91 days' where author = ${ann.id}`;
  await admin.rows`update check_ins set started_at = now() - interval '91 days', ended_at = now() - interval '90 days' where id = ${visit}`;
  await admin.rows('select private.reduce_history()');
  expect((await visitPhotosOf(kept, ann)).photos).toMatchObject([{ id: keptId, park_id: null }]);
  expect((await visitPhotosOf(old, ann)).photos).toEqual([]);
  const removed = await admin.column(
    `select payload ->> 'path' from private.jobs where type = 'move-photo'`,
  );
  expect(removed).toContain(oldId);
  expect(removed).not.toContain(keptId);
});

test('each cell of the table about lost dogs in docs/security.md is correct', async () => {
  const found: { name: string; cells: boolean[] }[] = [];
  const { 'friend without the switch': _, ...others } = WHO;
  const { keeper, walker, 'former keeper': former } = USERS;
  const all = { keeper, walker, 'former keeper': former, ...others, [FINDER]: WHO.visitor };
  for (const [name, arrange] of Object.entries<Arrange>(all)) {
    const park = await fixtures.park();
    const [ann, bob, eve] = await fixtures.users('Ann', 'Bob', 'Eve');
    await fixtures.regulars([ann]);
    await admin.rows`insert into favourite_parks (user_id, park_id) values (${eve.id}, ${park})`;
    const dog = await addDog(ann);
    const who = await arrange(ann, eve, dog);
    const code = await ann.call('dog_tag', { p_dog_id: dog });
    const tag = () => who.call('tag_card', { p_code: code });
    const atHome = await tag();
    await admin.rows`delete from private.rate_limits where operation = 'alert_near_park'`;
    const place = { p_lat: 32.1034, p_long: 34.8071 };
    const lost = await ann.call('report_lost_dog', { p_dog_id: dog, ...place });
    await admin.rows('select private.notify_of_lost_dogs()');
    const sighting = (caller: Caller, p_lat: number) =>
      caller.call('report_sighting', { p_id: randomUUID(), p_lost_id: lost, p_lat, p_long: 34.8 });
    await sighting(bob, 32.1111);
    const card = ((await who.call('lost_dogs')) as { id: string }[]).find(({ id }) => id === lost);
    const told =
      who === anonymous
        ? []
        : await who.rows(`select * from notifications where type in ('lostDog', 'dogSighting')`);
    const finder = { p_code: code, p_note: 'Here', p_phone: '0507654321', p_secret: randomUUID() };
    await anonymous.call('send_from_tag', finder);
    const own = who === anonymous ? null : await who.call('my_lost_dog', { p_dog_id: dog });
    const all = JSON.stringify([card, told, await tag(), own]);
    const answer = await errorCode(
      name === FINDER
        ? who.call('send_from_tag', { p_code: code, p_note: 'Here' })
        : sighting(who, 32.1),
    );
    const cells = [
      card !== undefined,
      told.length > 0,
      (await tag()) !== null,
      atHome !== null,
      [ann.id, ann.name, dog].some((word) => all.includes(word)),
      all.includes('32.1034'),
      all.includes('32.1111') || all.includes(bob.id),
      all.includes('0507654321'),
      answer === 'not refused',
    ];
    found.push({ name, cells });
  }
  expectTable('my lost dog', found);
});

test('each cell of the table about the users of a dog is correct', async () => {
  const found: { name: string; cells: boolean[] }[] = [];
  for (const [name, arrange] of Object.entries(USERS)) {
    const [ann, cem, eve] = await fixtures.users('Ann', 'Cem', 'Eve');
    const [park, elsewhere] = [await fixtures.park(), await fixtures.park()];
    const dog = await addDog(ann);
    const may = (call: Promise<unknown>) =>
      call.then(
        (answer) => !Array.isArray(answer) || answer.length > 0,
        () => false,
      );
    await join(ann, dog, cem);
    const who = await arrange(ann, eve, dog);
    await ann.call('check_in', { p_park_id: park, p_dog_ids: [dog] });
    const told = [
      await who.call('park_status', { p_park_id: park }),
      await who.call('friends_now').catch(() => null),
      await who.call('dog_carers', { p_dog_id: dog }).catch(() => null),
    ];
    const where =
      JSON.stringify(told[0]).includes(ann.id) || JSON.stringify(told).includes('park_id');
    await admin.rows`update users set hidden = true where id = ${ann.id}`;
    const photo = `${ann.id}/dogs/${dog}/other/${randomUUID()}.webp`;
    const cells = [
      await may(who.rows`select from dogs where id = ${dog}`),
      await may(who.rows`update dogs set likes = 'balls' where id = ${dog} returning id`),
      await may(
        who.rows`insert into storage.objects (bucket_id, name) values ('users', ${photo})`.then(
          () => null,
        ),
      ),
      await may(who.call('check_in', { p_park_id: elsewhere, p_dog_ids: [dog] })),
      JSON.stringify(told[2]).includes(cem.id),
      where,
    ];
    found.push({ name, cells });
    // Only the owner may call these functions.
    for (const [call, more] of [
      ['remove_dog_carer', { p_user_id: cem.id }],
      ['hand_over_dog', { p_user_id: eve.id }],
      ['make_dog_invite', { p_role: 'keeper' }],
    ] as const)
      await errorCode(who.call(call, { p_dog_id: dog, ...more }));
    await errorCode(who.call('delete_dog', { dog_id: dog }));
    expect(
      await admin.rows`select d.owner, d.deleted_at, p.user_id,
          (select count(*)::int from private.dog_invites i where i.dog_id = d.id and i.requested_by is null) as links
        from dogs d join private.dog_carers p on p.dog_id = d.id and p.user_id = ${cem.id} where d.id = ${dog}`,
    ).toEqual([{ owner: ann.id, deleted_at: null, user_id: cem.id, links: 0 }]);
  }
  expectTable('my dog', found);
});

test('each cell of the table about effects on others is correct', async () => {
  const found: { name: string; cells: boolean[] }[] = [];
  const { friend, 'ex-friend': ex, 'user I blocked': blocked, visitor } = WHO;
  const known = { friend, 'ex-friend': ex, 'user I blocked': blocked, [FINDER]: visitor };
  const all = { ...known, 'former keeper': USERS['former keeper'], 'twenty accounts': twenty };
  for (const [name, arrange] of Object.entries<Arrange>(all)) {
    const park = await fixtures.park();
    const [ann, bob, cem, eve] = await fixtures.users('Ann', 'Bob', 'Cem', 'Eve');
    await fixtures.regulars([ann, bob, cem], park);
    await fixtures.regulars([eve]);
    for (const user of [ann, eve]) {
      await wants(user);
      await admin.rows`insert into favourite_parks (user_id, park_id) values (${user.id}, ${park})`;
    }
    const dog = await addDog(ann);
    const tag = await ann.call('dog_tag', { p_dog_id: dog });
    const who = await arrange(ann, eve, dog);
    const pack = await makePackTime(park, [ann, bob, cem]);
    await ann.call('check_in', { p_park_id: park });
    const ill = await ann.call('report_hazard', { p_park_id: park, p_hazard: 'kennelCough' });
    await fixtures.leave(ann);
    await admin.rows`delete from private.rate_limits where operation = 'alert_near_park'`;
    const lost = await ann.call('report_lost_dog', { p_dog_id: dog, p_lat: 32.1, p_long: 34.8 });
    await subscribe(ann);
    const may = async (...sql: Parameters<Caller['rows']>) => {
      const answer = await errorCode(who.rows(...sql));
      // SQLSTATE 42883 means that the function does not exist, which would look like a denied permission.
      expect(answer).not.toBe('42883');
      return answer === 'not refused';
    };
    const is = async (sql: string, id: unknown) => (await admin.rows(sql, [id])).length > 0;
    for (let times = 0; times < 30; times += name === 'twenty accounts' ? 10 : 1) {
      await may`select send_friend_request(${ann.id})`;
      await may`select invite_to_park(${park}, array[${ann.id}]::uuid[], now() + make_interval(hours => ${times + 1}))`;
      await may`select report_sighting(gen_random_uuid(), ${lost}, 32.1, 34.8)`;
      if (who === anonymous) await may`select send_from_tag(${tag}, 'Here')`;
    }
    const rung =
      (await admin.value`select count(*)::int from private.jobs where type = 'send-web-push' and user_id = ${ann.id}`) as number;
    const reads = [
      await may`select from private.push_subscriptions`,
      await may`select from claim_pushes(p_type => 'send-web-push')`,
    ].includes(true);
    const reporter = JSON.stringify([
      await who.rows`select * from park_hazards where park_id = ${park}`,
      await who.rows`select * from live_counts()`,
    ]).includes(ann.id);
    const shows = await may`select report_hazard(${park}, 'stomachBug')`;
    await may`select confirm_report(${ill})`;
    await may`select end_report(${ill})`;
    await may`select report_pack_time(${pack}, 'fake')`;
    await may`select report_lost_card(${lost}, 'fake')`;
    await may`select found_dog(${dog})`;
    const joins = await may`select respond_to_pack_time(${pack}, true)`;
    const renews = await may`select dog_tag(${dog}, true)`;
    await may`select check_in(${park})`;
    await tell();
    await admin.rows('select private.notify_of_arrivals()');
    found.push({
      name,
      cells: [
        reads,
        rung > 0,
        rung > 15,
        await is(
          `select from notifications where receiver_id = $1 and type = 'friendThere'`,
          ann.id,
        ),
        joins,
        !(await is('select from private.pack_times where id = $1 and hidden_at is null', pack)),
        !(await is('select from private.lost_dogs where id = $1 and hidden_at is null', lost)),
        renews,
        reporter,
        shows,
        await is('select from private.live_reports where id = $1 and verified_at is not null', ill),
        await is('select from private.live_reports where id = $1 and ended_at is not null', ill),
      ],
    });
  }
  expectTable('actions of others', found);
});
