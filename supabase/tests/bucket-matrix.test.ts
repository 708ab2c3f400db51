// Who may list, upload, replace, move and remove what in the buckets, asked through the official client over HTTP.
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type Client } from '../../testing/test-host.ts';
import {
  CELLS,
  clientOf,
  createMatrixPeople,
  describeCell,
  done,
  expectRelationships,
  isOpen,
  OWNERS,
  ownerOf,
  SEE_OWNER,
  type Cell,
  type Owner,
} from './matrix-people.ts';

interface Things {
  dogFolder: string;
  dogPhoto: string;
  pendingPhoto: string;
  approvedPhoto: string;
  /** The photos of a lost dog's card and of a sighting of it, and a card that has none. */
  cardPhoto: string;
  sightingPhoto: string;
  emptyCard: string;
}

interface Door {
  verb: keyof typeof ANSWERS;
  /** What is asked for, in a sentence; what is not 'of the owner' is the same for all and asked about once. */
  thing: string;
  ask: (client: Client, things: Things) => Promise<string>;
  can: readonly Cell[];
  reasons?: Partial<Record<Cell, string>>;
}

const fileName = () => `photo-${randomUUID()}.webp`;

/** The outcome in the words of the titles. */
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
  const folder = path.slice(0, path.lastIndexOf('/'));
  const entries = await done(client.storage.from(bucket).list(folder));
  return entries.some((entry) => path.endsWith(`/${entry.name}`)) ? 'listed' : 'not listed';
}
async function remove(client: Client, bucket: string, path: string) {
  const removed = await done(client.storage.from(bucket).remove([path]));
  return removed.length === 1 ? 'removed' : 'no row';
}
async function move(client: Client, bucket: string, from: string, to: string) {
  const { error } = await client.storage.from(bucket).move(from, to);
  return outcome(error, 'moved');
}

/** Whoever decides about what waits must see it. */
const SEE_PENDING: readonly Cell[] = [
  ...OWNERS,
  ...(['moderator', 'administrator', 'hidden.moderator', 'hidden.administrator'] as const),
];
const NOT_ALLOWED = '403 new row violates row-level security policy';
const NOT_FOUND = '404 Object not found';

/** What each says where it may be done, and where not. */
const ANSWERS = {
  list: ['listed', 'not listed'],
  'upload to': ['stored', NOT_ALLOWED],
  replace: ['stored', NOT_ALLOWED],
  move: ['moved', NOT_FOUND],
  download: ['read', NOT_FOUND],
  remove: ['removed', 'no row'],
} as const;

const DOORS: Door[] = [
  {
    verb: 'list',
    thing: 'the photo of a dog of the owner',
    ask: (client, { dogPhoto }) => list(client, 'users', dogPhoto),
    can: SEE_OWNER,
  },
  {
    verb: 'upload to',
    thing: 'the folder of a dog of the owner',
    ask: (client, { dogFolder }) => upload(client, 'users', `${dogFolder}/other/${fileName()}`),
    can: OWNERS,
  },
  {
    verb: 'replace',
    thing: 'the photo of a dog of the owner',
    ask: (client, { dogPhoto }) => upload(client, 'users', dogPhoto, true),
    can: OWNERS,
  },
  {
    verb: 'move',
    thing: 'the photo of a dog of the owner to a folder that is none',
    ask: (client, { dogPhoto }) =>
      move(client, 'users', dogPhoto, dogPhoto.replace('/primary/', '/stolen/')),
    can: [],
    reasons: { owner: NOT_ALLOWED, 'hidden.owner': NOT_ALLOWED },
  },
  {
    verb: 'move',
    thing: 'the photo of a dog of the owner to the other folder of that dog',
    ask: (client, { dogPhoto }) =>
      move(client, 'users', dogPhoto, dogPhoto.replace('/primary/', '/other/')),
    can: OWNERS,
  },
  {
    verb: 'remove',
    thing: 'the photo of a dog of the owner',
    ask: (client, { dogPhoto }) =>
      remove(client, 'users', dogPhoto.replace('/primary/', '/other/')),
    can: OWNERS,
  },
  {
    verb: 'list',
    thing: 'a pending photo of a park by the owner',
    ask: (client, { pendingPhoto }) => list(client, 'pending-photos', pendingPhoto),
    can: SEE_PENDING,
  },
  {
    verb: 'upload to',
    thing: 'the other folder of a park',
    ask: (client) => upload(client, 'pending-photos', `${park}/other/${fileName()}`),
    can: CELLS.filter((cell) => !/anonymous|unverified/.test(cell)),
  },
  {
    verb: 'upload to',
    thing: 'the other folder of a park, where everybody sees it at once',
    ask: (client) => upload(client, 'parks', `${park}/other/${fileName()}`),
    can: [],
  },
  {
    verb: 'download',
    thing: 'a pending photo of a park by the owner',
    ask: async (client, { pendingPhoto }) =>
      outcome((await client.storage.from('pending-photos').download(pendingPhoto)).error, 'read'),
    can: SEE_PENDING,
  },
  {
    verb: 'move',
    thing: 'a pending photo of a park by the owner to where everybody may read it',
    ask: async (client, { pendingPhoto }) => {
      const from = client.storage.from('pending-photos');
      const { error } = await from.move(pendingPhoto, pendingPhoto, { destinationBucket: 'parks' });
      return outcome(error, 'moved');
    },
    can: [],
  },
  {
    verb: 'upload to',
    thing: 'the primary folder of a park',
    ask: (client) => upload(client, 'parks', `${park}/primary/${fileName()}`),
    can: [],
  },
  {
    verb: 'replace',
    thing: 'the published list of parks',
    ask: (client) => upload(client, 'parks', 'parks-en.json', true),
    can: [],
  },
  {
    verb: 'list',
    thing: 'an approved photo of a park by the owner',
    ask: (client, { approvedPhoto }) => list(client, 'parks', approvedPhoto),
    can: CELLS,
  },
  {
    verb: 'replace',
    thing: 'an approved photo of a park by the owner',
    ask: (client, { approvedPhoto }) => upload(client, 'parks', approvedPhoto, true),
    can: [],
  },
  {
    verb: 'move',
    thing: 'an approved photo of a park by the owner to the primary folder',
    ask: (client, { approvedPhoto }) =>
      move(client, 'parks', approvedPhoto, approvedPhoto.replace('/other/', '/primary/')),
    can: [],
  },
  {
    verb: 'remove',
    thing: 'an approved photo of a park by the owner',
    ask: (client, { approvedPhoto }) => remove(client, 'parks', approvedPhoto),
    can: OWNERS,
  },
  {
    verb: 'remove',
    thing: 'a pending photo of a park by the owner',
    ask: (client, { pendingPhoto }) => remove(client, 'pending-photos', pendingPhoto),
    can: OWNERS,
  },
  {
    verb: 'list',
    thing: 'the photo of a lost dog of the owner',
    ask: (client, { cardPhoto }) => list(client, 'lost-dogs', cardPhoto),
    can: SEE_PENDING,
  },
  {
    verb: 'replace',
    thing: 'the photo of a lost dog of the owner',
    ask: (client, { cardPhoto }) => upload(client, 'lost-dogs', cardPhoto, true),
    can: [],
  },
  {
    verb: 'remove',
    thing: 'the photo of a lost dog of the owner',
    ask: (client, { cardPhoto }) => remove(client, 'lost-dogs', cardPhoto),
    can: [],
  },
  {
    verb: 'upload to',
    thing: 'the card of a lost dog of the owner that has no photo',
    ask: (client, { emptyCard }) => upload(client, 'lost-dogs', `${emptyCard}/${fileName()}`),
    can: OWNERS,
  },
  {
    verb: 'list',
    thing: 'the photo of where a dog of the owner was seen',
    ask: (client, { sightingPhoto }) => list(client, 'sightings', sightingPhoto),
    can: OWNERS,
  },
  {
    verb: 'upload to',
    thing: 'the folder of where a dog of the owner was seen',
    ask: (client, { sightingPhoto }) => upload(client, 'sightings', sightingPhoto, true),
    can: [],
  },
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
  const dogFolder = `${id}/dogs/${dog.id}`;
  const made = {
    dogFolder,
    dogPhoto: `${dogFolder}/primary/primary-${fileName()}`,
    pendingPhoto: `${park}/other/${fileName()}`,
    approvedPhoto: `${park}/other/${fileName()}`,
    cardPhoto: `${card}/${fileName()}`,
    sightingPhoto: `${sighting?.id}/${fileName()}`,
    emptyCard: await loseDog('Tom'),
  };
  expect(await upload(client, 'lost-dogs', made.cardPhoto)).toBe('stored');
  await host.sql`insert into storage.objects (bucket_id, name) values ('sightings', ${made.sightingPhoto})`;
  expect(await upload(client, 'users', made.dogPhoto)).toBe('stored');
  expect(await upload(client, 'pending-photos', made.pendingPhoto)).toBe('stored');
  expect(await upload(client, 'pending-photos', made.approvedPhoto)).toBe('stored');
  // As a moderator does: the file moves to where everybody may read it.
  await host.sql`update storage.objects set bucket_id = 'parks' where name = ${made.approvedPhoto}`;
  return made;
}

/** The states of the photos of a park, as the tests below name them. */
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
const [row] = await host.sql<{ id: string }>(
  `insert into public.parks (lat, long, status) values (32, 34, 'approved') returning id`,
);
const park = Number(row?.id);
const created: Things[] = [];
const people = await createMatrixPeople(host, async (owner) => {
  created.push(await createThings(owner));
});
const [open, hidden] = created as [Things, Things];
const things = { open, hidden };
await expectPhotos();

describe.each(DOORS.map((door) => [`${door.verb} ${door.thing}`, door] as const))(
  '%s',
  (_, { verb, thing, ask, can, reasons }) => {
    const [allowed, refused] = ANSWERS[verb];
    beforeAll(() => expectRelationships(host, people));

    const cells = CELLS.filter((cell) => isOpen(cell) || thing.includes('the owner'));
    test.each(
      cells.map((cell) => {
        const answer = can.includes(cell) ? allowed : (reasons?.[cell] ?? refused);
        return [describeCell(cell, can.includes(cell), verb, thing, answer), cell, answer] as const;
      }),
    )('%s', async (_title, cell, answer) => {
      expect(await ask(clientOf(people, cell), things[ownerOf(cell)])).toBe(answer);
    });
  },
);

test('photos of a deleted dog are listed for its owner only, and 300 photos are enough', async () => {
  const { client, id } = people.open;
  const { dogFolder } = things.open;
  const photo = `${dogFolder}/other/${fileName()}`;
  expect(await upload(client, 'users', photo)).toBe('stored');
  const [row] = await host.sql<{ n: number }>(
    `select count(*)::int as n from storage.objects where bucket_id = 'users' and name like $1`,
    [`${id}/%`],
  );
  await host.sql(
    `insert into storage.objects (bucket_id, name) select 'users', $1 || '/primary/' || n from generate_series(1, $2::int) n`,
    [dogFolder, 300 - (row?.n ?? 0)],
  );
  expect(await upload(client, 'users', `${dogFolder}/other/${fileName()}`)).toBe('400 too_many');
  expect(await upload(client, 'users', photo, true)).toBe('stored');
  await host.sql`update public.dogs set deleted_at = now() where id::text = ${dogFolder.split('/')[2]}`;
  const seeing = CELLS.filter(isOpen).map(async (cell) => [
    cell,
    await list(clientOf(people, cell), 'users', photo),
  ]);
  expect((await Promise.all(seeing)).filter(([, answer]) => answer === 'listed')).toEqual([
    ['owner', 'listed'],
  ]);
});
