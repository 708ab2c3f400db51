// Tests storage with the official client over HTTP: buckets, objects, signed URLs and lists under row-level security.
import { decodeJwt } from 'jose';
import { expect, test, vi } from 'vitest';
import { startTestHost, type Client } from '../../../../testing/test-host.ts';
import { draw } from '../../../../testing/draw.ts';

/** Policies like those of the app: each user writes below a folder with the user's ID. The bucket `shelf` is private. */
const POLICIES = `
  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
    ('pets', 'pets', true, 200000, array['image/*']), ('shelf', 'shelf', false, null, null);
  create policy "owners do all below their folder" on storage.objects to authenticated
    using (bucket_id in ('pets', 'shelf') and (storage.foldername(name))[1] = (select auth.uid())::text)
    with check (bucket_id in ('pets', 'shelf') and (storage.foldername(name))[1] = (select auth.uid())::text);
`;

const host = await startTestHost();
await host.sql(POLICIES);
const ann = await host.user('Ann');
const bob = await host.user('Bob');
const service = host.service();

const shelf = (client: Client) => client.storage.from('shelf');

test('a raw upload returns the same bytes, type, caching and metadata', async () => {
  const path = `${ann.id}/notes/a.txt`;
  const { data, error } = await shelf(ann.client).upload(path, Buffer.from('good boy'), {
    contentType: 'text/plain',
    cacheControl: '2592000',
    metadata: { mood: 'happy' },
  });
  expect(error).toBeNull();
  expect(data).toMatchObject({ path, fullPath: `shelf/${path}`, id: expect.any(String) });
  const { data: blob } = await shelf(ann.client).download(path);
  expect(await blob?.text()).toBe('good boy');
  const { data: info } = await shelf(ann.client).info(path);
  expect(info).toMatchObject({
    name: path,
    size: 8,
    contentType: 'text/plain',
    cacheControl: 'max-age=2592000',
    metadata: { mood: 'happy' },
  });
  expect((await shelf(ann.client).exists(path)).data).toBe(true);
  expect((await shelf(ann.client).exists(`${path}.not`)).data).toBe(false);
});

test('a form upload works like a raw one, and a second upload of the name is a duplicate unless it upserts', async () => {
  const path = `${ann.id}/form.bin`;
  const upload = (text: string, upsert: boolean) =>
    shelf(ann.client).upload(path, new Blob([text], { type: 'application/octet-stream' }), {
      upsert,
    });
  expect((await upload('one', false)).error).toBeNull();
  expect((await upload('two', false)).error).toMatchObject({
    message: 'The resource already exists',
    status: 400,
    statusCode: '409',
  });
  expect((await upload('three', true)).error).toBeNull();
  expect(await (await shelf(ann.client).download(path)).data?.text()).toBe('three');
  expect((await shelf(ann.client).update(path, 'four')).error).toBeNull();
  expect(await (await shelf(ann.client).download(path)).data?.text()).toBe('four');
});

test('policies apply to reading, replacing, moving, removing and listing', async () => {
  const path = `${ann.id}/secret.txt`;
  await shelf(ann.client).upload(path, 'secret');
  const denied = { statusCode: '403', message: 'new row violates row-level security policy' };
  for (const client of [bob.client, host.client()]) {
    const from = shelf(client);
    expect((await from.download(path)).error).toMatchObject({ statusCode: '404' });
    expect((await from.info(path)).error).toMatchObject({ statusCode: '404' });
    expect((await from.upload(path, 'mine now', { upsert: true })).error).toMatchObject(denied);
    expect((await from.upload(`${ann.id}/new.txt`, 'x')).error).toMatchObject(denied);
    expect((await from.move(path, `${bob.id}/s.txt`)).error).toMatchObject({ statusCode: '404' });
    expect((await from.copy(path, `${bob.id}/s.txt`)).error).toMatchObject({ statusCode: '404' });
    expect((await from.createSignedUrl(path, 60)).error).toMatchObject({ statusCode: '404' });
    expect((await from.createSignedUploadUrl(path)).error).toMatchObject(denied);
    expect((await from.remove([path])).data).toEqual([]);
    expect((await from.list(ann.id)).data).toEqual([]);
  }
  expect((await shelf(ann.client).move(path, `${bob.id}/gift.txt`)).error).toMatchObject(denied);
  expect(await (await shelf(ann.client).download(path)).data?.text()).toBe('secret');
});

test('moving keeps the object, copying creates another one, removing returns the rows', async () => {
  const at = (name: string) => `${bob.id}/trip/${name}`;
  const from = shelf(bob.client);
  await from.upload(at('a'), 'bytes');
  expect((await from.move(at('a'), at('b'))).data).toMatchObject({ message: 'Successfully moved' });
  expect((await from.copy(at('b'), at('c'))).data).toEqual({ path: `shelf/${at('c')}` });
  expect((await from.download(at('a'))).error).toMatchObject({ statusCode: '404' });
  expect((await from.move(at('b'), at('c'))).error).toMatchObject({ statusCode: '409' });
  const { data } = await from.remove([at('b'), at('none')]);
  expect(data).toMatchObject([{ name: at('b'), bucket_id: 'shelf', owner: bob.id }]);
  expect(await (await from.download(at('c'))).data?.text()).toBe('bytes');
});

test('a list has folders first, then files, in pages', async () => {
  const from = shelf(ann.client);
  const base = `${ann.id}/list`;
  for (const name of ['b.txt', 'a.txt', 'z/deep.txt', 'y/deep.txt', 'y/other.txt', 'a_b.txt'])
    await from.upload(`${base}/${name}`, name);
  const names = async (options?: Parameters<typeof from.list>[1], folder = base) =>
    (await from.list(folder, options)).data?.map(({ name, id }) => (id ? name : `${name}/`));
  expect(await names()).toEqual(['y/', 'z/', 'a.txt', 'a_b.txt', 'b.txt']);
  expect(await names({ limit: 2, offset: 1 })).toEqual(['z/', 'a.txt']);
  expect(await names({ search: 'A_' })).toEqual(['a_b.txt']);
  expect(await names({ sortBy: { column: 'created_at', order: 'desc' } })).toEqual([
    ...['y/', 'z/'].reverse(),
    'a_b.txt',
    'a.txt',
    'b.txt',
  ]);
  expect(await names({}, `${base}/y/`)).toEqual(['deep.txt', 'other.txt']);
  const first = await from.listV2({ prefix: `${base}/`, with_delimiter: true, limit: 3 });
  expect(first.data).toMatchObject({ hasNext: true, folders: [] });
  const cursor = first.data?.nextCursor ?? '';
  const rest = await from.listV2({ prefix: `${base}/`, with_delimiter: true, cursor });
  expect(rest.data?.folders.map(({ name }) => name)).toEqual([`${base}/y/`, `${base}/z/`]);
  // As in S3, a prefix is the start of a name. Without a trailing slash, the folder itself is listed.
  const { data } = await from.listV2({ prefix: base, with_delimiter: true });
  expect(data?.folders.map(({ name }) => name)).toEqual([`${base}/`]);
  const byTime = { column: 'created_at', order: 'asc' } as const;
  expect((await from.listV2({ prefix: base, sortBy: byTime })).error).toMatchObject({
    statusCode: '400',
  });
});

test('a signed URL reads a single object until it expires', async () => {
  const path = `${ann.id}/signed.txt`;
  await shelf(ann.client).upload(path, 'for your eyes', { contentType: 'text/plain' });
  const { data } = await shelf(ann.client).createSignedUrl(path, 60, { download: 'my dog.txt' });
  const response = await fetch(data?.signedUrl ?? '');
  expect(await response.text()).toBe('for your eyes');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=my/);
  expect(response.headers.get('content-security-policy')).toContain('sandbox');

  const long = await shelf(ann.client).createSignedUrl(path, 10 * 365 * 24 * 3600);
  const token = new URL(long.data?.signedUrl ?? '').searchParams.get('token') ?? '';
  const { exp = 0, iat = 0 } = decodeJwt(token);
  expect(exp - iat).toBe(3600);
  const many = await shelf(ann.client).createSignedUrls([path, `${bob.id}/signed.txt`], 60);
  expect(many.data?.map(({ error }) => error === null)).toEqual([true, false]);

  const other = (data?.signedUrl ?? '').replace('signed.txt', 'form.bin');
  expect(await (await fetch(other)).json()).toMatchObject({ error: 'InvalidSignature' });
  const login = `${host.url}/storage/v1/object/sign/shelf/${path}?token=${ann.token}`;
  expect(await (await fetch(login)).json()).toMatchObject({ error: 'InvalidJWT' });
});

test('a signed upload URL writes once as its creator, while their session is valid', async () => {
  const client = host.client();
  const { data } = await client.auth.signUp({ email: 'cal@example.test', password: 'good horse' });
  const id = data.user?.id ?? '';
  const { data: link } = await shelf(client).createSignedUploadUrl(`${id}/guest.txt`);
  const { data: late } = await shelf(client).createSignedUploadUrl(`${id}/late.txt`);
  const put = async (from: typeof link) =>
    (await shelf(host.client()).uploadToSignedUrl(from?.path ?? '', from?.token ?? '', 'hi')).error;
  expect(await put(link)).toBeNull();
  expect(await put(link)).toMatchObject({ statusCode: '409' });
  expect(
    await host.sql`select owner_id from storage.objects where name = ${`${id}/guest.txt`}`,
  ).toEqual([{ owner_id: id }]);
  await client.auth.signOut({ scope: 'global' });
  expect(await put(late)).toMatchObject({ statusCode: '403' });
});

test('public objects are served to anyone, private ones look as if they did not exist', async () => {
  const path = `${ann.id}/dog.png`;
  const bytes = await draw().png().toBuffer();
  const pets = ann.client.storage.from('pets');
  expect((await pets.upload(path, bytes, { contentType: 'image/png' })).error).toBeNull();
  const url = pets.getPublicUrl(path).data.publicUrl;
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('image/png');
  const etag = response.headers.get('etag') ?? '';
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  const part = await fetch(url, { headers: { range: 'bytes=1-3' } });
  expect([part.status, await part.text()]).toEqual([206, 'PNG']);
  expect((await fetch(url, { headers: { range: 'bytes=999999-' } })).status).toBe(416);
  const head = await fetch(url, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(response.headers.get('content-length'));
  const hidden = shelf(ann.client).getPublicUrl(`${ann.id}/signed.txt`).data.publicUrl;
  expect(await (await fetch(hidden)).json()).toEqual({
    statusCode: '404',
    code: 'NoSuchBucket',
    error: 'Bucket not found',
    message: 'Bucket not found',
  });
});

test('a list of parks is sent compressed', async () => {
  const list = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: 'Park' })));
  await service.storage.createBucket('lists', { public: true });
  await service.storage
    .from('lists')
    .upload('parks-en.json', Buffer.from(list), { contentType: 'application/json' });
  const url = service.storage.from('lists').getPublicUrl('parks-en.json').data.publicUrl;
  const sizeOf = async (coding: string) => {
    const response = await fetch(url, { headers: { 'accept-encoding': coding } });
    await response.arrayBuffer();
    return Number(response.headers.get('content-length'));
  };
  const quick = await sizeOf('br');
  for (const coding of ['br', 'gzip', 'identity']) {
    const response = await fetch(url, { headers: { 'accept-encoding': coding } });
    expect(response.headers.get('content-encoding') ?? 'identity').toBe(coding);
    expect(await response.text()).toBe(list);
  }
  // The first response was compressed quickly, because the best compression of a large list takes seconds.
  await expect.poll(() => sizeOf('br')).not.toBe(quick);
});

test('only the service key creates, changes, empties and deletes buckets', async () => {
  const denied = { statusCode: '403' };
  expect((await ann.client.storage.createBucket('mine')).error).toMatchObject(denied);
  expect((await ann.client.storage.listBuckets()).data).toEqual([]);
  const { storage } = service;
  const limits = { public: false, fileSizeLimit: '1MB', allowedMimeTypes: ['image/png'] };
  expect((await storage.createBucket('kennel', limits)).data).toEqual({ name: 'kennel' });
  expect((await storage.createBucket('kennel', limits)).error).toMatchObject({ statusCode: '409' });
  expect((await storage.getBucket('kennel')).data).toMatchObject({
    id: 'kennel',
    public: false,
    file_size_limit: 1e6,
    allowed_mime_types: ['image/png'],
  });
  expect((await storage.updateBucket('kennel', { public: true })).error).toBeNull();
  expect((await storage.getBucket('kennel')).data).toMatchObject({ public: true });
  const png = await draw().png().toBuffer();
  await storage.from('kennel').upload('a.png', png, { contentType: 'image/png' });
  expect((await storage.deleteBucket('kennel')).error).toMatchObject({ statusCode: '409' });
  expect((await storage.emptyBucket('kennel')).error).toBeNull();
  expect((await storage.deleteBucket('kennel')).error).toBeNull();
  expect((await storage.getBucket('kennel')).error).toMatchObject({ statusCode: '404' });
  expect((await storage.createBucket('a/b')).error).toMatchObject({ statusCode: '400' });
});

test('hostile names, tokens and bodies get an error in the right format, never a 500', async () => {
  const send = async (method: string, path: string, body?: string, token = ann.token) => {
    const response = await fetch(`${host.url}/storage/v1${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const json = (await response.json()) as { statusCode: string };
    expect(response.status, path).toBeLessThan(500);
    return json.statusCode;
  };
  expect(await send('POST', `/object/shelf/${ann.id}/${encodeURIComponent('שלום.txt')}`, 'x')).toBe(
    '400',
  );
  expect(await send('POST', `/object/shelf/${ann.id}%2f..%2f..%2fetc%2fpasswd`, 'x')).toBe('400');
  expect(await send('POST', `/object/shelf/${ann.id}/a%00b`, 'x')).toBe('400');
  expect(await send('GET', '/object/shelf/%E0%A4%A')).toBe('400');
  expect(await send('GET', '/object/authenticated/none/a.txt')).toBe('404');
  expect(await send('POST', '/object/none/a.txt', 'x')).toBe('404');
  expect(await send('GET', '/bucket', undefined, '')).toBe('400');
  expect(await send('GET', '/bucket', undefined, 'a.b.c')).toBe('403');
  expect(await send('POST', '/object/list/shelf', '{"prefix":')).toBe('400');
  expect(await send('POST', '/object/list/shelf', '{"prefix":"\\u0000"}')).toBe('400');
  expect(await send('POST', '/object/list/shelf', '{"sortBy":{"column":"1;drop"}}')).toBe('400');
  expect(await send('DELETE', '/object/shelf', '{"prefixes":["\\u0000"]}')).toBe('400');
  expect(await send('POST', '/object/move', '{"bucketId":"shelf"}')).toBe('400');
  expect(await send('PATCH', '/nothing')).toBe('404');
  const form = await fetch(`${host.url}/storage/v1/object/shelf/${ann.id}/form`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ann.token}`,
      'content-type': 'multipart/form-data; boundary=x',
    },
    body: '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nno end',
  });
  expect(await form.json()).toMatchObject({ statusCode: '400' });
});

test('storage and REST requests share one quota per user or anonymous IP', async () => {
  const proxied = await startTestHost({ TRUST_PROXY: 'true' });
  await proxied.sql(POLICIES);
  const run = vi.spyOn(proxied.database.quotas, 'run');
  const { id, token } = await proxied.user('Cal');
  const ip = '198.51.100.2';
  for (const [path, bearer, counted] of [
    ['storage/v1/object/info/shelf/none', proxied.tokens.anonKey, ip],
    ['storage/v1/object/public/shelf/none', proxied.tokens.anonKey, ip],
    ['storage/v1/object/info/shelf/none', token, id],
    ['rest/v1/users?select=id', token, id],
  ] as const) {
    run.mockClear();
    const authorization = `Bearer ${bearer}`;
    const headers = { apikey: proxied.tokens.anonKey, authorization, 'x-forwarded-for': ip };
    await fetch(`${proxied.url}/${path}`, { headers });
    const calls = run.mock.calls.map(([{ sub }, , from]) => sub ?? from);
    expect(new Set(calls)).toEqual(new Set([counted]));
  }
});
