// Tests the permissions to list, upload, replace, move and remove files in the buckets, with the official client over HTTP.
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type Client } from '../../testing/test-host.ts';
import {
  CELLS,
  clientOf,
  createMatrixUsers,
  describeCell,
  done,
  expectRelationships,
  isOpen,
  OWNERS,
  ownerOf,
  SEE_OWNER,
  type Cell,
  type Owner,
} from './matrix-users.ts';

/** Paths of files. The path of a folder ends with a slash, and each test uses a new file in it. */
interface Things {
  dogFolder: string;
  dogPhoto: string;
  /** The path to which the owner has moved the photo. */
  otherPhoto: string;
  parkFolder: string;
  parkPrimary: string;
  list: string;
  pendingPhoto: string;
  approvedPhoto: string;
  /** The photos of a lost dog's card and of a sighting, and the folder of a card without a photo. */
  cardPhoto: string;
  sightingPhoto: string;
  emptyCard: string;
  visitPhoto: string;
  emptyVisit: string;
}

type Door = [
  verb: keyof typeof ANSWERS,
  /**
   * The name of the object in the test's title. If it does not contain 'the owner', the object is the same for both owners and is
   * tested once.
   */
  thing: string,
  bucket: string,
  path: keyof Things,
  can: readonly Cell[],
  /** The folder or bucket to which the file is moved. */
  to?: string,
  reasons?: Partial<Record<Cell, string>>,
];

const fileName = () => `photo-${randomUUID()}.webp`;

/** Formats the result of a request as in the test titles. */
const outcome = (
  error: { statusCode?: string | undefined; message: string } | null,
  allowed: string,
) => (error === null ? allowed : `${error.statusCode} ${error.message}`);

async function upload(client: Client, bucket: string, path: string, upsert = false) {
  const { error } = await client.storage
    .from(bucket)
    .upload(path, picture, { contentType: 'image/webp', upsert });
  return outcome(error, 'stored');
}
async function list(client: Client, bucket: string, path: string) {
  const at = path.lastIndexOf('/');
  const entries = await done(client.storage.from(bucket).list(path.slice(0, Math.max(at, 0))));
  return entries.some((entry) => path.slice(at + 1) === entry.name) ? 'listed' : 'not listed';
}
async function remove(client: Client, bucket: string, path: string) {
  const removed = await done(client.storage.from(bucket).remove([path]));
  return removed.length === 1 ? 'removed' : 'no row';
}
async function move(client: Client, bucket: string, path: string, to = '') {
  const from = client.storage.from(bucket);
  const { error } = to.startsWith('/')
    ? await from.move(path, path.replace(/\/(primary|other)\//, to))
    : await from.move(path, path, { destinationBucket: to });
  return outcome(error, 'moved');
}
const replace = (client: Client, bucket: string, path: string) =>
  upload(client, bucket, path, true);
const download = async (client: Client, bucket: string, path: string) =>
  outcome((await client.storage.from(bucket).download(path)).error, 'read');

const sign = async (client: Client, bucket: string, path: string) =>
  outcome((await client.storage.from(bucket).createSignedUrl(path, 60)).error, 'signed');

async function copy(client: Client, bucket: string, path: string) {
  const target = `${randomUUID()}/dogs/${randomUUID()}/other/${fileName()}`;
  const options = { destinationBucket: 'users' };
  return outcome((await client.storage.from(bucket).copy(path, target, options)).error, 'copied');
}

/** Callers who may see pending photos, because they uploaded them or decide about them. */
const SEE_PENDING: readonly Cell[] = [
  ...OWNERS,
  ...(['moderator', 'administrator', 'hidden.moderator', 'hidden.administrator'] as const),
];
const SEE_VISITS: readonly Cell[] = [...OWNERS, 'friend'];
const NOT_ALLOWED = '403 new row violates row-level security policy';
const NOT_FOUND = '404 Object not found';

/** For each action: the request, and the words for success and failure. */
const ANSWERS = {
  list: [list, 'listed', 'not listed'],
  'upload to': [(...[client, bucket, path]) => upload(client, bucket, path), 'stored', NOT_ALLOWED],
  replace: [replace, 'stored', NOT_ALLOWED],
  move: [move, 'moved', NOT_FOUND],
  sign: [sign, 'signed', NOT_FOUND],
  copy: [copy, 'copied', NOT_FOUND],
  download: [download, 'read', NOT_FOUND],
  remove: [remove, 'removed', 'no row'],
} satisfies Record<string, [typeof move, string, string]>;

const PENDING = 'pending-photos';
const MEMBERS = CELLS.filter((cell) => !/anonymous|unverified/.test(cell));

const DOORS: Door[] = [
  ['list', 'the photo of a dog of the owner', 'users', 'dogPhoto', SEE_OWNER],
  ['upload to', 'the folder of a dog of the owner', 'users', 'dogFolder', OWNERS],
  ['replace', 'the photo of a dog of the owner', 'users', 'dogPhoto', OWNERS],
  [
    'move',
    'the photo of a dog of the owner to an invalid folder',
    'users',
    'dogPhoto',
    [],
    '/stolen/',
    { owner: NOT_ALLOWED, 'hidden.owner': NOT_ALLOWED },
  ],
  [
    'move',
    'the photo of a dog of the owner to the other folder',
    'users',
    'dogPhoto',
    OWNERS,
    '/other/',
  ],
  ['remove', 'the photo of a dog of the owner', 'users', 'otherPhoto', OWNERS],
  ['list', 'a pending photo of a park by the owner', PENDING, 'pendingPhoto', SEE_PENDING],
  ['upload to', 'the other folder of a park', PENDING, 'parkFolder', MEMBERS],
  ['upload to', 'the other folder of a park in the public bucket', 'parks', 'parkFolder', []],
  ['download', 'a pending photo of a park by the owner', PENDING, 'pendingPhoto', SEE_PENDING],
  [
    'move',
    'a pending photo of a park by the owner to the public bucket',
    PENDING,
    'pendingPhoto',
    [],
    'parks',
  ],
  ['upload to', 'the primary folder of a park', 'parks', 'parkPrimary', []],
  ['replace', 'the published list of parks', 'parks', 'list', []],
  ['list', 'an approved photo of a park by the owner', 'parks', 'approvedPhoto', CELLS],
  ['replace', 'an approved photo of a park by the owner', 'parks', 'approvedPhoto', []],
  ['move', 'an approved photo of a park by the owner', 'parks', 'approvedPhoto', [], '/primary/'],
  ['remove', 'an approved photo of a park by the owner', 'parks', 'approvedPhoto', OWNERS],
  ['remove', 'a pending photo of a park by the owner', PENDING, 'pendingPhoto', OWNERS],
  ['list', 'the photo of a lost dog of the owner', 'lost-dogs', 'cardPhoto', SEE_PENDING],
  ['replace', 'the photo of a lost dog of the owner', 'lost-dogs', 'cardPhoto', []],
  ['remove', 'the photo of a lost dog of the owner', 'lost-dogs', 'cardPhoto', []],
  ['upload to', 'the empty card of a lost dog of the owner', 'lost-dogs', 'emptyCard', OWNERS],
  ['list', "the photo of the owner's visit", 'visit-photos', 'visitPhoto', SEE_VISITS],
  ['download', "the photo of the owner's visit", 'visit-photos', 'visitPhoto', SEE_VISITS],
  ['sign', "the photo of the owner's visit", 'visit-photos', 'visitPhoto', []],
  ['replace', "the photo of the owner's visit", 'visit-photos', 'visitPhoto', []],
  ['remove', "the photo of the owner's visit", 'visit-photos', 'visitPhoto', []],
  ['copy', "the photo of the owner's visit", 'visit-photos', 'visitPhoto', []],
  ['copy', 'a pending photo of a park by the owner', PENDING, 'pendingPhoto', []],
  ['upload to', 'a visit without a photo of the owner', 'visit-photos', 'emptyVisit', OWNERS],
  ['list', 'the photo of a sighting of a dog of the owner', 'sightings', 'sightingPhoto', OWNERS],
  ['replace', 'the photo of a sighting of a dog of the owner', 'sightings', 'sightingPhoto', []],
];

async function createThings({ id, client }: Owner): Promise<Things> {
  const addDog = async (name: string) => {
    const dog = { name, breed: 'mixed', gender: 'MALE', birthday: '2020-01-01' } as const;
    return await done(client.from('dogs').insert(dog).select('id').single());
  };
  const loseDog = async (name: string) =>
    await done(
      client.rpc('report_lost_dog', { p_dog_id: (await addDog(name)).id, p_lat: 32, p_long: 34 }),
    );
  const dog = await addDog('Rex');
  const card = await loseDog('Max');
  const [sighting] = await host.sql<{ id: string }>`
    insert into private.lost_dog_sightings (lost_id, lat, long) values (${card}, 32, 34) returning id`;
  const dogs = [dog.id, (await addDog('Moe')).id];
  const visit = (await done(client.rpc('check_in', { p_park_id: park, p_dog_ids: dogs }))) as {
    check_in_id: string;
  };
  const [visitPhoto, emptyVisit] = await Promise.all(
    dogs.map((p_dog_id) =>
      done(client.rpc('add_visit_photo', { p_visit_id: visit.check_in_id, p_dog_id })),
    ),
  );
  const file = fileName();
  const made = {
    dogFolder: `${id}/dogs/${dog.id}/other/`,
    dogPhoto: `${id}/dogs/${dog.id}/primary/primary-${file}`,
    otherPhoto: `${id}/dogs/${dog.id}/other/primary-${file}`,
    parkFolder: `${park}/other/`,
    parkPrimary: `${park}/primary/`,
    list: 'parks-en.json',
    pendingPhoto: `${park}/other/${fileName()}`,
    approvedPhoto: `${park}/other/${fileName()}`,
    cardPhoto: `${card}/${fileName()}`,
    sightingPhoto: `${sighting?.id}/${fileName()}`,
    emptyCard: `${await loseDog('Tom')}/`,
    visitPhoto: visitPhoto ?? '',
    emptyVisit: emptyVisit ?? '',
  };
  expect(await upload(client, 'lost-dogs', made.cardPhoto)).toBe('stored');
  await host.sql`insert into storage.objects (bucket_id, name) values ('sightings', ${made.sightingPhoto})`;
  expect(await upload(client, 'visit-photos', made.visitPhoto)).toBe('stored');
  expect(await upload(client, 'users', made.dogPhoto)).toBe('stored');
  expect(await upload(client, 'pending-photos', made.pendingPhoto)).toBe('stored');
  expect(await upload(client, 'pending-photos', made.approvedPhoto)).toBe('stored');
  // Moves the file to the public bucket, as storage does when a moderator approves the photo.
  await host.sql`update storage.objects set bucket_id = 'parks' where name = ${made.approvedPhoto}`;
  return made;
}

/** Checks that the photos have the states that the tests assume. */
async function expectPhotos(): Promise<void> {
  for (const { pendingPhoto, approvedPhoto } of [things.open, things.hidden])
    expect(
      await host.sql`select status from public.park_photos where path = any (${[pendingPhoto, approvedPhoto]}) order by 1`,
    ).toEqual([{ status: 'pending' }, { status: 'approved' }]);
}

const host = await startTestHost();
const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#1D7A4F' } })
  .webp()
  .toBuffer();
const park = await host.park();
const created: Things[] = [];
const users = await createMatrixUsers(host, async (owner) => {
  created.push(await createThings(owner));
});
const [open, hidden] = created as [Things, Things];
const things = { open, hidden };
await expectPhotos();

describe.each(DOORS.map((door) => [`${door[0]} ${door[1]}`, door] as const))(
  '%s',
  (_, [verb, thing, bucket, path, can, to, reasons]) => {
    const [ask, allowed, refused] = ANSWERS[verb];
    beforeAll(() => expectRelationships(host, users));

    const cells = CELLS.filter((cell) => isOpen(cell) || thing.includes('the owner'));
    test.each(
      cells.map((cell) => {
        const answer = can.includes(cell) ? allowed : (reasons?.[cell] ?? refused);
        return [describeCell(cell, can.includes(cell), verb, thing, answer), cell, answer] as const;
      }),
    )('%s', async (_title, cell, answer) => {
      const place = things[ownerOf(cell)][path];
      const file = place.endsWith('/') ? place + fileName() : place;
      expect(await ask(clientOf(users, cell), bucket, file, to)).toBe(answer);
    });
  },
);

test('photos of a deleted dog are listed only for its owner, and a folder has at most 300 photos', async () => {
  const { client, id } = users.open;
  const { dogFolder } = things.open;
  const photo = `${dogFolder}${fileName()}`;
  expect(await upload(client, 'users', photo)).toBe('stored');
  const [row] = await host.sql<{ n: number }>(
    `select count(*)::int as n from storage.objects where bucket_id = 'users' and name like $1`,
    [`${id}/%`],
  );
  await host.sql(
    `insert into storage.objects (bucket_id, name) select 'users', $1 || n from generate_series(1, $2::int) n`,
    [dogFolder.replace('/other/', '/primary/'), 300 - (row?.n ?? 0)],
  );
  expect(await upload(client, 'users', `${dogFolder}${fileName()}`)).toBe('400 too_many');
  expect(await upload(client, 'users', photo, true)).toBe('stored');
  // A keeper of the dog cannot exceed the limit by moving a photo either, and the owner can still move photos.
  const { id: keeper, client: keepers } = users.friend;
  await host.sql`insert into private.dog_carers (dog_id, user_id, role) values (${dogFolder.split('/')[2]}, ${keeper}, 'keeper')`;
  const dog = { name: 'Own', breed: 'mixed', gender: 'MALE', birthday: '2020-01-01' } as const;
  const own = await done(keepers.from('dogs').insert(dog).select('id').single());
  const spare = `${keeper}/dogs/${own.id}/other/${fileName()}`;
  expect(await upload(keepers, 'users', spare)).toBe('stored');
  const moveTo = async (who: Client, from: string, to: string) =>
    outcome((await who.storage.from('users').move(from, to)).error, 'moved');
  expect(await moveTo(keepers, spare, `${dogFolder}${fileName()}`)).toBe('400 too_many');
  expect(await move(client, 'users', photo, '/primary/')).toBe('moved');
  expect(await move(client, 'users', photo.replace('/other/', '/primary/'), '/other/')).toBe(
    'moved',
  );
  await host.sql`delete from private.dog_carers where user_id = ${keeper}`;
  await host.sql`update public.dogs set deleted_at = now() where id::text = ${dogFolder.split('/')[2]}`;
  const seeing = CELLS.filter(isOpen).map(async (cell) => [
    cell,
    await list(clientOf(users, cell), 'users', photo),
  ]);
  expect((await Promise.all(seeing)).filter(([, answer]) => answer === 'listed')).toEqual([
    ['owner', 'listed'],
  ]);
});
