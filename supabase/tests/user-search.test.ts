// Tests accounts, profiles, dogs and search: signup, who finds whom, and where photos are stored.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  addDog,
  claim,
  createFixtures,
  errorCode,
  type Caller,
  saveReview,
  submitPark,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous } = fixtures;

const find = (who: Caller, input: string) =>
  who.column`select found ->> 'name' from jsonb_array_elements(search_users_with_dogs(${input})) found`;

test.each([
  [{ full_name: '  Noa Levi ' }, { name: 'Noa Levi', language: 'en' }],
  [
    { name: 'Apple Ann', language: 'ar' },
    { name: 'Apple Ann', language: 'ar' },
  ],
  [{ language: 'he' }, { name: 'מישהו מהלהקה', language: 'he' }],
  [
    { full_name: 'a\nb', language: 'xx' },
    { name: 'a b', language: 'en' },
  ],
  [{ full_name: 'x'.repeat(200) }, { name: 'x'.repeat(80), language: 'en' }],
  [null, { name: 'Somebody from the pack', language: 'en' }],
])('signing up with %j creates %j', async (given, made) => {
  const id = randomUUID();
  await admin.rows(
    'insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), $3)',
    [id, `${id}@example.test`, given ?? {}],
  );
  expect(await admin.rows('select name, language from users where id = $1', [id])).toEqual([made]);
});

test('the age is confirmed by signing up with it', async () => {
  for (const consent of [false, true]) {
    const ann = await fixtures.user('Ann', { consent });
    const all = { age_confirmed: consent, terms_accepted: consent, licence_agreed: consent };
    expect(await ann.call('my_consents')).toEqual(all);
  }
});

test('users are not found or visible before they confirm the age', async () => {
  const ann = await fixtures.user('Wolfgangina', { consent: false });
  const bob = await fixtures.user('Bob');
  await admin.rows`insert into dogs (owner, name, breed, gender, birthday) values (${ann.id}, 'Jezebella', 'mixed', 'FEMALE', '2022-05-01')`;
  const found = async (who: Caller, words: string) =>
    ((await who.call('search_users_with_dogs', { input: words })) as { id: string }[]).length;
  const finders: Caller[] = [bob, anonymous];
  // Searches by the whole name, a prefix, a typo, and the dog's name.
  const words = ['Wolfgangina', 'Wolfg', 'Wolfgangyna', 'Jezebella', 'Jezebela'];
  const read = async () => [
    await bob.rows('select name from users where id = $1', [ann.id]),
    await bob.call('user_page', { p_user_id: ann.id }),
  ];
  for (const who of finders) for (const typed of words) expect(await found(who, typed)).toBe(0);
  expect(await read()).toEqual([[], null]);

  await ann.call('confirm_age');
  for (const who of finders) for (const typed of words) expect(await found(who, typed)).toBe(1);
  const { name } = ann;
  expect(await read()).toMatchObject([[{ name }], { name }]);
});

test("users are found by their names and their dogs' names, in three scripts, even with typos", async () => {
  const [noa, yuval, sami] = await fixtures.users('Noa Berkovich', 'יובל כהן', 'سامي حداد');
  await addDog(noa, 'Chocolate');
  await addDog(yuval, 'שוקולד');
  await addDog(sami, 'فستق');
  for (const [input, name] of [
    ['berk', 'Noa Berkovich'],
    ['Noa Berkovitch', 'Noa Berkovich'],
    ['berkowich', 'Noa Berkovich'],
    ['choclate', 'Noa Berkovich'],
    ['יובל', 'יובל כהן'],
    ['כהן', 'יובל כהן'],
    ['שוקולט', 'יובל כהן'],
    ['שוק', 'יובל כהן'],
    ['حداد', 'سامي حداد'],
    ['سام', 'سامي حداد'],
    ['فستك', 'سامي حداد'],
  ] as const)
    expect(await find(anonymous, input), input).toContain(name);
  expect(
    await anonymous.value`select search_users_with_dogs('Chocolate') #>> '{0,dogs,0,name}'`,
  ).toBe('Chocolate');
  for (const blank of ['', '   ', '%', '_', '\\'])
    expect(await find(anonymous, blank), blank).toEqual([]);
});

test('hidden and blocked users, deleted dogs and the caller are not found', async () => {
  const [ann, bob] = await fixtures.users('Zelda Ann', 'Zelda Bob');
  await fixtures.user('Zelda Hidden', { hidden: true });
  expect(await find(ann, 'zelda')).toEqual(['Zelda Bob']);
  expect((await find(anonymous, 'zelda')).sort()).toEqual(['Zelda Ann', 'Zelda Bob']);
  await bob.call('block_user', { p_user_id: ann.id });
  expect([await find(ann, 'zelda'), await find(bob, 'zelda')]).toEqual([[], []]);
  // A blocked user cannot find the blocker by logging out.
  expect(await find(anonymous, 'zelda')).toEqual(['Zelda Ann']);
  expect(await find(await fixtures.user('Eve'), 'zelda')).toHaveLength(2);
  const rex = await addDog(ann, 'Xerxes');
  expect(await find(anonymous, 'xerxes')).toEqual(['Zelda Ann']);
  await ann.call('delete_dog', { dog_id: rex });
  expect(await find(anonymous, 'xerxes')).toEqual([]);
});

test('at most twenty users are found, and a similar name among hundreds of less similar ones, even the last', async () => {
  await admin.rows(
    `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
     select gen_random_uuid(), 'shosh-' || n || '@example.test', now(), jsonb_build_object('full_name', 'Shosh ' || n, 'age_confirmed', true)
     from generate_series(1, 250) n`,
  );
  await fixtures.user('Shoshanna');
  const found = await find(anonymous, 'shoshana');
  expect(found).toHaveLength(20);
  expect(found[0]).toBe('Shoshanna');
  expect(found[1]).toMatch(/^Shosh \d/);
});

test('only its owner can delete a dog, which is a soft delete', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const dog = await addDog(ann, 'Rex');
  await bob.call('delete_dog', { dog_id: dog });
  expect(await bob.rows('select name from dogs where id = $1', [dog])).toEqual([{ name: 'Rex' }]);
  await ann.call('delete_dog', { dog_id: dog });
  expect(await ann.rows('select name from dogs where id = $1', [dog])).toEqual([]);
  expect(await admin.rows('select name from dogs where id = $1', [dog])).toHaveLength(1);
});

test('concurrent inserts and uploads cannot exceed the limits', async () => {
  const ann = await fixtures.user('Ann');
  await admin.rows(
    `insert into storage.objects (bucket_id, name) select 'users', $1 || '/dogs/x/other/' || n from generate_series(1, 295) n`,
    [ann.id],
  );
  const dog = await addDog(ann, 'First');
  const dogs = Array.from({ length: 40 }, (_, index) => errorCode(addDog(ann, `Dog ${index}`)));
  const photos = Array.from({ length: 10 }, () =>
    errorCode(upload(ann, `${ann.id}/dogs/${dog}/other/${randomUUID()}.webp`)),
  );
  const counted = (results: string[]) =>
    ['not refused', 'too_many'].map((code) => results.filter((one) => one === code).length);
  expect(counted(await Promise.all(dogs))).toEqual([19, 21]);
  expect(counted(await Promise.all(photos))).toEqual([5, 5]);
});

test('repeatedly adding and deleting dogs is rate-limited', async () => {
  const ann = await fixtures.user('Ann');
  await admin.rows`insert into private.rate_limits (subject, operation, count) values (${ann.id}, 'add_dog', 99)`;
  const inTurns = async () => ann.call('delete_dog', { dog_id: await addDog(ann, 'Rex') });
  await inTurns();
  expect(await errorCode(inTurns())).toBe('too_many');
});

test('names are normalised, contain nothing invisible, and are not the name of the product', async () => {
  const ann = await fixtures.user('Ann');
  // Newcomers may rename themselves less often than regulars.
  await fixtures.regulars([ann]);
  const rename = (name: string) =>
    ann.rows<{ name: string }>`update users set name = ${name} where id = ${ann.id} returning name`;
  for (const [given, kept] of [
    ['Zoe\u0301', 'Zo\u00e9'],
    ['\u202egro\u2066Ann\u200b\u200f\ufe0f\u00ad', 'groAnn'],
    ['Ann\u00a0\u3000\tLevi\u2028', 'Ann Levi'],
    ['Ann\u001b[31m\u009b2J', 'Ann[31m2J'],
  ] as const)
    expect(await rename(given), JSON.stringify(given)).toEqual([{ name: kept }]);
  for (const name of [
    'Packpark Support',
    'MyPack-Park',
    'The Pack Park',
    'P a c k.p\u00e4rk',
    '\uff30\uff41\uff43kpark',
    'Ра\u0441kр\u0430rk',
    'pack\u200bpark',
    'צוות פאקפארק',
    'دعم باك بارك',
    '\u200b\u2060',
    'Win at evil.example',
  ])
    expect(await errorCode(rename(name)), name).toBe('name_not_allowed');
  for (const name of ['Parker Pack', 'Backpack Parker', 'Dr. J.P. Levi'])
    expect(await rename(name)).toEqual([{ name }]);
  // A signup with such a name succeeds, but the account gets the default name.
  for (const name of ['Packpark\u200b Support', 'www.evil.example'])
    expect(
      await admin.value`select name from users where id = ${(await fixtures.user(name)).id}`,
    ).toBe('Somebody from the pack');
  const dog = await addDog(ann, 'R\u202ee\u0301x\u200d');
  expect(await ann.value('select name from dogs where id = $1', [dog])).toBe('R\u00e9x');
  expect((await find(anonymous, 'Re\u0301x')).length).toBe(1);
});

test('texts of users contain no characters that control a terminal', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const park = await fixtures.park();
  const forged = 'A\u001b]0;x\u0007\r\n\tB\u0085\u009b1m\u202eC\u{e0041}';
  const kept = 'A]0;x\n\tB1mC';
  await saveReview(ann, park, { p_title: forged, p_content: forged });
  expect(
    await bob.rows('select title, content from park_reviews where park_id = $1', [park]),
  ).toEqual([{ title: kept, content: kept }]);
  await ann.call('report_user', { p_user_id: bob.id, p_reason: 'spam', p_note: forged });
  const item = await claim(fixtures.service, 'user', bob.id);
  expect(item).toMatchObject({ reports: [{ note: kept }] });
  const dog = await addDog(ann, 'Rex');
  await ann.rows('update dogs set likes = $2, description = $2 where id = $1', [dog, forged]);
  expect(await ann.rows('select likes, description from dogs where id = $1', [dog])).toEqual([
    { likes: kept, description: kept },
  ]);
  const submitted = await submitPark(ann, {
    p_name: forged,
    p_city: 'C\u001bity',
    p_address: 'A\u009b1\n2',
    p_lat: 1,
    p_long: 1,
  });
  expect(
    await admin.rows`select name, city, address from park_translations where park_id = ${submitted}`,
  ).toEqual([{ name: 'A]0;x B 1mC', city: 'City', address: 'A1 2' }]);
});

test('the limits of dogs and photos do not reveal how many another user has', async () => {
  const [ann, bob] = [await fixtures.user('Ann', { hidden: true }), await fixtures.user('Bob')];
  for (let index = 0; index < 20; index += 1) await addDog(ann, `Dog ${index}`);
  await admin.rows(
    `insert into storage.objects (bucket_id, name) select 'users', $1 || '/dogs/x/other/' || n from generate_series(1, 300) n`,
    [ann.id],
  );
  for (const owner of [ann.id, randomUUID()]) {
    const dog = bob.rows`insert into dogs (owner, name, breed, gender, birthday) values (${owner}, 'Rex', 'mixed', 'MALE', '2020-01-01')`;
    expect(await errorCode(dog)).toBe('42501');
    expect(await errorCode(upload(bob, `${owner}/dogs/x/other/photo.webp`))).toBe('42501');
  }
});

const upload = (who: Caller, name: string) =>
  who.rows`insert into storage.objects (bucket_id, name, version) values ('users', ${name}, gen_random_uuid()::text)`;

test('photos of dogs: who may add which files where', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const [rex, fido] = [await addDog(ann, 'Rex'), await addDog(bob, 'Fido')];
  const file = () => `primary-${randomUUID()}.webp`;
  const primary = `${ann.id}/dogs/${rex}/primary/${file()}`;
  await upload(ann, primary);
  for (const [who, name] of [
    [ann, `${ann.id}/dogs/${fido}/other/${file()}`],
    [ann, `${bob.id}/dogs/${fido}/other/${file()}`],
    [ann, `${ann.id}/dogs/${randomUUID()}/other/${file()}`],
    [ann, `${ann.id}/dogs/${rex}/elsewhere/${file()}`],
    [ann, `${ann.id}/dogs/${rex}/other/deeper/${file()}`],
    [ann, `${ann.id}/${file()}`],
    [ann, `${ann.id}/dogs/${rex}/other/guessable.webp`],
    [ann, `${ann.id}/dogs/${rex}/other/${randomUUID()}.html`],
  ] as const)
    expect(await errorCode(upload(who, name)), name).toBe('42501');
  const theirs = primary.replace(ann.id, bob.id);
  const move = ann.rows('update storage.objects set name = $2 where name = $1', [primary, theirs]);
  expect(await errorCode(move)).toBe('42501');
  await ann.call('delete_dog', { dog_id: rex });
  expect(await errorCode(upload(ann, primary))).toBe('42501');
});

test('an unconfirmed account cannot be found or contacted until its email address is confirmed', async () => {
  const id = randomUUID();
  const ann = await fixtures.user('Ann');
  await admin.rows('insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)', [
    id,
    `${id}@example.test`,
    { full_name: 'Zebulon Unproved', age_confirmed: true },
  ]);
  const found = () => ann.value('select search_users_with_dogs($1)::text', ['Zebulon Unproved']);
  expect(String(await found())).not.toContain(id);
  expect(await ann.rows('select id from users where id = $1', [id])).toEqual([]);
  // A request to a hidden user has no effect and no error, like a request to a user who does not exist.
  await ann.rows('select send_friend_request($1)', [id]);
  expect(
    await admin.rows`select from private.friendships where ${id} in (user_low, user_high)`,
  ).toEqual([]);

  await admin.rows('update auth.users set email_confirmed_at = now() where id = $1', [id]);
  expect(String(await found())).toContain(id);
  await ann.rows('select send_friend_request($1)', [id]);
  expect(
    await admin.rows`select requester from private.friendships where ${id} in (user_low, user_high)`,
  ).toEqual([{ requester: ann.id }]);
  expect(
    await admin.value`select age_confirmed_at is not null from private.user_consents where user_id = ${id}`,
  ).toBe(true);
  // Confirming again does not create a second profile.
  await admin.rows('update auth.users set email_confirmed_at = null where id = $1', [id]);
  await admin.rows('update auth.users set email_confirmed_at = now() where id = $1', [id]);
});

test('a dog’s main photo, and with it the user’s picture, follows the files', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const [first, second] = [await addDog(ann, 'Luna'), await addDog(ann, 'Max')];
  const path = (dog: unknown, folder: 'primary' | 'other', name: string) =>
    `${ann.id}/dogs/${String(dog)}/${folder}/${name}`;
  const add = (name: string) =>
    admin.rows(`insert into storage.objects (bucket_id, name) values ('users', $1)`, [name]);
  const seen = async () => ({
    dogs: await bob.column`select photo from dogs where owner = ${ann.id} order by name`,
    picture: await bob.value`select picture from users where id = ${ann.id}`,
  });
  await add(path(second, 'primary', 'max.webp'));
  await add(path(first, 'other', 'luna.webp'));
  await add(`${bob.id}/dogs/${String(first)}/primary/not-mine.webp`);
  const max = path(second, 'primary', 'max.webp');
  expect(await seen()).toEqual({ dogs: [null, max], picture: max });

  // The photo of the first dog takes precedence. A photo that was moved away does not count.
  const luna = path(first, 'primary', 'luna.webp');
  const move = (from: string, to: string) =>
    admin.rows('update storage.objects set name = $2 where name = $1', [from, to]);
  await move(path(first, 'other', 'luna.webp'), luna);
  expect(await seen()).toEqual({ dogs: [luna, max], picture: luna });
  await ann.call('delete_dog', { dog_id: first });
  expect(await seen()).toEqual({ dogs: [max], picture: max });
  await admin.rows('delete from storage.objects where name = $1', [max]);
  expect(await seen()).toEqual({ dogs: [null], picture: null });

  // The main photo is the file that entered the folder last, by upload or by move, and not the newest upload.
  const [old, young] = ['old', 'young'].map((name) => path(second, 'primary', `${name}.webp`));
  await add(path(second, 'other', 'old.webp'));
  await add(String(young));
  await move(path(second, 'other', 'old.webp'), String(old));
  expect(await seen()).toEqual({ dogs: [old], picture: old });
  await admin.rows('delete from storage.objects where name = any ($1)', [[old, young]]);

  // While one photo is being moved away, another one is being added. The move waits and then makes the new photo the main photo.
  await add(max);
  const coming = await fixtures.hold(
    `insert into storage.objects (bucket_id, name) values ('users', $1)`,
    [young],
  );
  const goes = move(max, path(second, 'other', 'max.webp'));
  await fixtures.waiting(1);
  await coming.end();
  await goes;
  expect(await seen()).toEqual({ dogs: [young], picture: young });
  await admin.rows('delete from storage.objects where name = $1', [young]);

  // Anonymous visitors do not see photos of dogs.
  await add(max);
  const photosFor = (who: Caller) =>
    who.column(`select jsonb_path_query(search_users_with_dogs('Max'), '$[*].dogs[*].photo')`);
  expect(await photosFor(bob)).toContain(max);
  expect(await photosFor(anonymous)).not.toContain(max);
});

test('while posting is paused, public data cannot be changed, but removing it still works', async () => {
  const ann = await fixtures.user('Ann');
  const dog = await addDog(ann, 'Rex');
  await ann.rows(`update dogs set description = 'A good boy' where id = $1`, [dog]);
  const park = await fixtures.park();
  const lost = await ann.call('report_lost_dog', { p_dog_id: dog, p_lat: 32.1, p_long: 34.8 });
  const sighting = { p_id: randomUUID(), p_lost_id: lost, p_lat: 32.1, p_long: 34.8 };
  await ann.call('report_sighting', sighting);
  const visit = (await ann.call('check_in', { p_park_id: park, p_dog_ids: [dog] })) as object;
  const visitPhoto = await ann.call('add_visit_photo', {
    p_visit_id: (visit as { check_in_id: string }).check_in_id,
    p_dog_id: dog,
  });
  const file = () => `${randomUUID()}.webp`;
  const uploads: Record<string, () => string> = {
    users: () => `${ann.id}/dogs/${dog}/other/${file()}`,
    'pending-photos': () => `${park}/other/${file()}`,
    'lost-dogs': () => `${String(lost)}/${file()}`,
    sightings: () => `${sighting.p_id}/${file()}`,
    'visit-photos': () => String(visitPhoto),
  };
  // Nobody uploads to the bucket parks.
  expect([...Object.keys(uploads), 'parks'].toSorted()).toEqual(
    await admin.column('select id from storage.buckets order by id'),
  );
  const upload = (bucket: string, name: string) =>
    errorCode(
      ann.rows('insert into storage.objects (bucket_id, name) values ($1, $2)', [bucket, name]),
    );
  for (const [bucket, name] of Object.entries(uploads)) {
    expect(await upload(bucket, name()), bucket).toBe('not refused');
    if (bucket !== 'users')
      await admin.rows('delete from storage.objects where bucket_id = $1', [bucket]);
  }
  const pause = (sanction: string) =>
    admin.rows(
      `insert into private.sanctions (user_id, sanction, reason, until, shown) values ($1, $2, 'harassment', now() + interval '1 day', true)`,
      [ann.id, sanction],
    );
  const revoke = () => admin.rows('update private.sanctions set revoked_at = now()');
  const texts = [
    () => ann.rows(`update users set name = 'You are ugly' where id = $1`, [ann.id]),
    () => addDog(ann, 'You are ugly'),
    ...['name', 'breed', 'temperament', 'likes', 'dislikes', 'description'].map(
      (field) => () => ann.rows(`update dogs set ${field} = 'You are ugly' where id = $1`, [dog]),
    ),
  ];
  await pause('limit');
  for (const write of texts) expect(await errorCode(write())).toBe('limited');
  for (const [bucket, name] of Object.entries(uploads))
    expect(await upload(bucket, name()), bucket).toBe('42501');
  expect(
    await ann
      .rows(
        `update storage.objects set last_accessed_at = now() where bucket_id = 'users' and name like $1 returning 1`,
        [`${ann.id}/%`],
      )
      .catch((error: { code: string }) => error.code),
  ).toBe('42501');
  // A user whose posting is paused may still save unchanged texts, change facts, hide and delete.
  await ann.rows`update dogs set name = name, description = description, birthday = '2021-01-01' where id = ${dog}`;
  await ann.rows('update users set name = name, hidden = true where id = $1', [ann.id]);
  await ann.call('delete_dog', { dog_id: dog });
  // A suspended user's token stays valid for up to an hour, because the auth service checks bans only when it issues tokens.
  await revoke();
  await pause('suspend');
  expect(await errorCode(texts[0]?.() ?? Promise.resolve())).toBe('limited');
  await revoke();
  await ann.rows(`update users set name = 'Anna' where id = $1`, [ann.id]);
});
