// Who may list, upload, move and remove what in the two buckets, asked through the official client over HTTP.
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type Client, type TestHost } from '../../server/testing/test-host.ts';

/** `hidden` is a stranger at the folders of a hidden owner. */
const CALLERS = ['owner', 'friend', 'stranger', 'blocked', 'visitor', 'hidden'] as const;
type Caller = (typeof CALLERS)[number];

interface Owner {
  id: string;
  client: Client;
  dogFolder: string;
  dogPhoto: string;
  parkPhoto: string;
}

let host: TestHost;
let clients: Record<Caller, Client>;
let owners: Record<'open' | 'hidden', Owner>;
let park: number;
let picture: Buffer;

const fileName = () => `photo-${randomUUID()}.webp`;

async function put(client: Client, bucket: string, path: string, options = {}): Promise<boolean> {
  const { error } = await client.storage
    .from(bucket)
    .upload(path, picture, { contentType: 'image/webp', ...options });
  return error === null;
}

async function member(name: string) {
  const user = await host.user(name);
  await user.client.rpc('accept_terms');
  await user.client.rpc('confirm_age');
  return user;
}

async function makeOwner(
  name: string,
  friend: { id: string; client: Client },
  blocked: { id: string },
): Promise<Owner> {
  const { id, client } = await member(name);
  const { data } = await client
    .from('dogs')
    .insert({ name: 'Rex', breed: 'mixed', gender: 'MALE', birthday: '2020-01-01' })
    .select('id')
    .single();
  const dogFolder = `${id}/dogs/${data?.id}`;
  const dogPhoto = `${dogFolder}/primary/primary-${fileName()}`;
  const parkPhoto = `${park}/other/${fileName()}`;
  expect(await put(client, 'users', dogPhoto)).toBe(true);
  expect(await put(client, 'parks', parkPhoto)).toBe(true);
  await friend.client.rpc('send_friend_request', { p_user_id: id });
  await client.rpc('accept_friend_request', { p_user_id: friend.id });
  await client.rpc('block_user', { p_user_id: blocked.id });
  return { id, client, dogFolder, dogPhoto, parkPhoto };
}

beforeAll(async () => {
  host = await startTestHost();
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#1D7A4F' } })
    .webp()
    .toBuffer();
  const [row] = await host.sql<{ id: string }>(
    `insert into public.parks (lat, long, status) values (32, 34, 'approved') returning id`,
  );
  park = Number(row?.id);
  const [friend, stranger, blocked] = [
    await member('Friend'),
    await member('Stranger'),
    await member('Blocked'),
  ];
  owners = {
    open: await makeOwner('Owner', friend, blocked),
    hidden: await makeOwner('Hidden', await member('Another friend'), blocked),
  };
  await owners.hidden.client.from('users').update({ hidden: true }).eq('id', owners.hidden.id);
  clients = {
    owner: owners.open.client,
    friend: friend.client,
    stranger: stranger.client,
    blocked: blocked.client,
    visitor: host.client(),
    hidden: stranger.client,
  };
});
afterAll(() => host.close());

/** One answer per caller; the owner comes last, when the others have had their try. */
async function ask(
  what: (client: Client, owner: Owner) => Promise<boolean | number>,
): Promise<string> {
  const answers: Partial<Record<Caller, string>> = {};
  for (const caller of [...CALLERS].reverse()) {
    const answer = await what(clients[caller], caller === 'hidden' ? owners.hidden : owners.open);
    answers[caller] = typeof answer === 'number' ? String(answer) : answer ? 'yes' : 'no';
  }
  return CALLERS.map((caller) => answers[caller]).join(' ');
}

const listed = async (client: Client, bucket: string, path: string) => {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const { data } = await client.storage.from(bucket).list(folder);
  return (data ?? []).filter((entry) => path.endsWith(`/${entry.name}`)).length;
};
const removed = async (client: Client, bucket: string, path: string) =>
  (await client.storage.from(bucket).remove([path])).data?.length ?? 0;
const moved = async (client: Client, bucket: string, from: string, to: string) =>
  (await client.storage.from(bucket).move(from, to)).error === null;

test('photos of dogs are listed for whoever sees the owner', async () => {
  expect(await ask((client, owner) => listed(client, 'users', owner.dogPhoto))).toBe('1 1 1 0 0 0');
});

test('the folder of a dog takes uploads of its owner only', async () => {
  expect(
    await ask((client, owner) => put(client, 'users', `${owner.dogFolder}/other/${fileName()}`)),
  ).toBe('yes no no no no no');
});

test("nobody replaces the photo of another's dog", async () => {
  expect(await ask((client, owner) => put(client, 'users', owner.dogPhoto, { upsert: true }))).toBe(
    'yes no no no no no',
  );
});

test('only the owner moves photos, within the folders of own dogs', async () => {
  expect(
    await ask((client, owner) =>
      moved(client, 'users', owner.dogPhoto, owner.dogPhoto.replace('/primary/', '/stolen/')),
    ),
  ).toBe('no no no no no no');
  expect(
    await ask((client, owner) =>
      moved(client, 'users', owner.dogPhoto, owner.dogPhoto.replace('/primary/', '/other/')),
    ),
  ).toBe('yes no no no no no');
});

test('only the owner removes photos of dogs', async () => {
  expect(
    await ask((client, owner) =>
      removed(client, 'users', owner.dogPhoto.replace('/primary/', '/other/')),
    ),
  ).toBe('1 0 0 0 0 0');
});

test('a photo of a park that waits is listed for its giver only', async () => {
  expect(await ask((client, owner) => listed(client, 'parks', owner.parkPhoto))).toBe(
    '1 0 0 0 0 0',
  );
});

test('users give photos to the other folder of parks, never to the primary one or the root', async () => {
  expect(await ask((client) => put(client, 'parks', `${park}/other/${fileName()}`))).toBe(
    'yes yes yes yes no yes',
  );
  expect(await ask((client) => put(client, 'parks', `${park}/primary/${fileName()}`))).toBe(
    'no no no no no no',
  );
  expect(await ask((client) => put(client, 'parks', 'parks-en.json', { upsert: true }))).toBe(
    'no no no no no no',
  );
});

test('an approved photo is listed for all and replaced or moved by nobody', async () => {
  const [row] = await host.sql<{ ok: boolean }>(`select public.moderate_photo($1, true) as ok`, [
    owners.open.parkPhoto,
  ]);
  expect(row?.ok).toBe(true);
  const path = owners.open.parkPhoto;
  expect(await ask((client) => listed(client, 'parks', path))).toBe('1 1 1 1 1 1');
  expect(await ask((client) => put(client, 'parks', path, { upsert: true }))).toBe(
    'no no no no no no',
  );
  expect(
    await ask((client) => moved(client, 'parks', path, path.replace('/other/', '/primary/'))),
  ).toBe('no no no no no no');
});

test('who gave a photo takes it back, nobody else', async () => {
  expect(await ask((client, owner) => removed(client, 'parks', owner.parkPhoto))).toBe(
    '1 0 0 0 0 0',
  );
});

test('photos of a deleted dog are listed for its owner only, and 300 photos are enough', async () => {
  const folder = owners.open.dogFolder;
  const kept = `${folder}/other/${fileName()}`;
  expect(await put(owners.open.client, 'users', kept)).toBe(true);
  const [row] = await host.sql<{ n: number }>(
    `select count(*)::int as n from storage.objects where bucket_id = 'users' and name like $1`,
    [`${owners.open.id}/%`],
  );
  await host.sql(
    `insert into storage.objects (bucket_id, name) select 'users', $1 || '/primary/' || n from generate_series(1, $2::int) n`,
    [folder, 300 - (row?.n ?? 0)],
  );
  expect(await put(owners.open.client, 'users', `${folder}/other/${fileName()}`)).toBe(false);
  expect(await put(owners.open.client, 'users', kept, { upsert: true })).toBe(true);
  await host.sql(`update public.dogs set deleted_at = now() where id::text = $1`, [
    folder.split('/')[2],
  ]);
  expect(
    await ask((client, owner) =>
      listed(client, 'users', owner === owners.open ? kept : owner.dogPhoto),
    ),
  ).toBe('1 0 0 0 0 0');
});
