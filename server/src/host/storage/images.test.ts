// Tests that uploaded images are decoded, rotated and re-encoded, and that unreadable and too costly images are rejected.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import sharp from 'sharp';
import { FullError } from '#/host/limits/fair-semaphore.ts';
import { ImageProcess, ImageProcessError } from '#/host/storage/image-process.ts';
import { Images } from '#/host/storage/images.ts';
import { createStorageService } from '#/host/storage/service.ts';
import { startLog } from '../../../../testing/log-lines.ts';
import { startTestHost } from '../../../../testing/test-host.ts';
import { draw } from '../../../../testing/draw.ts';
import { contextOf } from '../../../../testing/request-context.ts';

const host = await startTestHost();
await host.sql`
  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values ('pets', 'pets', true, 200000, array['image/jpeg', 'image/png', 'image/webp', 'image/gif']),
    ('any', 'any', true, null, null);
  create policy "all" on storage.objects to authenticated using (true) with check (true);`;
const ann = await host.user('Ann');

const upload = (name: string, bytes: Uint8Array, contentType: string, bucket = 'pets') =>
  ann.client.storage.from(bucket).upload(name, bytes, { contentType });

async function storedBytes(name: string): Promise<Buffer> {
  const { data } = await ann.client.storage.from('pets').download(name);
  return Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer());
}

test('a photo loses its location and is rotated upright', async () => {
  const photo = await draw(60, 40)
    .withExif({ IFD3: { GPSLatitude: '32/1 5/1 59/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(photo.includes('Exif')).toBe(true);
  const pets = ann.client.storage.from('pets');
  for (const [name, options] of [
    ['turned.jpg', { contentType: 'image/jpg' }],
    // An upload without a media type.
    ['untyped.jpg', {}],
  ] as const) {
    expect((await pets.upload(name, photo, options)).error).toBeNull();
    const response = await fetch(pets.getPublicUrl(name).data.publicUrl);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    const bytes = Buffer.from(await response.arrayBuffer());
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({ format: 'jpeg', width: 40, height: 60 });
    expect(metadata.exif).toBeUndefined();
    expect(bytes.includes('Exif')).toBe(false);
  }
});

test('bytes after the end of the image are removed', async () => {
  const bytes = Buffer.concat([
    await draw().png().toBuffer(),
    Buffer.from('<script>alert(1)</script>'),
  ]);
  expect((await upload('tail.png', bytes, 'image/png')).error).toBeNull();
  expect((await storedBytes('tail.png')).includes('script')).toBe(false);
});

test('the stored type is the detected type of the bytes', async () => {
  await upload('really.png', await draw().webp().toBuffer(), 'image/png');
  const url = ann.client.storage.from('pets').getPublicUrl('really.png').data.publicUrl;
  expect((await fetch(url)).headers.get('content-type')).toBe('image/webp');
});

test.each([
  [
    'nested without end',
    '{"a":'.repeat(1500) + '1' + '}'.repeat(1500),
    'The JSON is nested deeper than 30 levels',
  ],
  ['no Unicode', '{"a":"\\ud800"}', 'The JSON has text that is not Unicode'],
])('metadata that is %s is rejected in both types of body', async (_what, text, message) => {
  const form = new FormData();
  form.append('metadata', text);
  form.append('', new Blob(['x'], { type: 'text/plain' }));
  const url = `${host.url}/storage/v1/object/any/nested.txt`;
  const headers = { authorization: `Bearer ${ann.token}` };
  const responses = [
    await fetch(url, { method: 'POST', headers, body: form }),
    await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'text/plain',
        'x-metadata': Buffer.from(text).toString('base64'),
      },
      body: 'x',
    }),
  ];
  for (const response of responses) {
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message });
  }
});

test('animations stay animated, up to a number of frames', async () => {
  const frames = (count: number) => {
    const [width, pageHeight] = [8, 8];
    const pixels = Buffer.alloc(width * pageHeight * count * 3);
    for (let i = 0; i < pixels.length; i += 1)
      pixels[i] = (Math.floor(i / (width * pageHeight * 3)) * 80 + i) % 256;
    const raw = { width, height: pageHeight * count, channels: 3 as const, pageHeight };
    return sharp(pixels, { raw }).gif().toBuffer();
  };
  expect((await upload('wag.gif', await frames(3), 'image/gif')).error).toBeNull();
  expect((await sharp(await storedBytes('wag.gif')).metadata()).pages).toBe(3);
  expect((await upload('long.gif', await frames(150), 'image/gif')).error).toMatchObject({
    statusCode: '415',
  });
});

test('files that are not images, truncated images, drawings and decompression bombs are rejected', async () => {
  const rejected = { status: 415, statusCode: '415' };
  expect((await upload('a.png', Buffer.from('no'), 'image/png')).error).toMatchObject(rejected);
  const jpeg = await draw(400, 400).jpeg().toBuffer();
  const half = jpeg.subarray(0, jpeg.length / 2);
  expect((await upload('half.jpg', half, 'image/jpeg')).error).toMatchObject(rejected);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect((await upload('a.svg', svg, 'image/svg+xml', 'any')).error).toMatchObject(rejected);
  expect((await upload('b.svg', svg, 'image/png', 'any')).error).toMatchObject(rejected);
  const bomb = await draw(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer();
  expect((await upload('bomb.png', bomb, 'image/png', 'any')).error).toMatchObject(rejected);
  expect((await upload('a.txt', Buffer.from('x'), 'text/plain')).error).toMatchObject({
    ...rejected,
    message: 'mime type text/plain is not supported',
  });
  expect(
    await host.sql`select from storage.objects where name in ('a.png', 'half.jpg', 'a.svg', 'bomb.png')`,
  ).toEqual([]);
});

test('a file above the limit is rejected with 413 and the exact message, with or without Content-Length', async () => {
  const noise = Buffer.alloc(300_000, 1);
  const exact = {
    status: 413,
    statusCode: '413',
    message: 'The object exceeded the maximum allowed size',
  };
  expect((await upload('big.png', noise, 'image/png')).error).toMatchObject(exact);
  const form = await ann.client.storage
    .from('pets')
    .upload('big.png', new Blob([noise], { type: 'image/png' }));
  expect(form.error).toMatchObject(exact);
  const stream = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 3000; i += 1) controller.enqueue(new Uint8Array(1000));
      controller.close();
    },
  });
  const streamed = await ann.client.storage
    .from('pets')
    .upload('big.png', stream, { contentType: 'image/png', duplex: 'half' });
  expect(streamed.error).toMatchObject(exact);
});

test('a client that is still sending a rejected file receives the error instead of a broken connection', async () => {
  const { hostname, port } = new URL(host.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  const length = 30_000_000;
  const head = `POST /storage/v1/object/pets/large.png HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${ann.token}\r\nContent-Type: image/png\r\nContent-Length: ${length}\r\n\r\n`;
  socket.write(head);
  // Simulates a client that reads the response only after it has sent the whole request.
  const part = Buffer.alloc(100_000, 1);
  for (let sent = 0; sent < length && !socket.destroyed; sent += part.length)
    if (!socket.write(part)) await Promise.race([once(socket, 'drain'), closed]);
  let response = '';
  socket.on('data', (bytes) => {
    response += String(bytes);
    socket.destroy();
  });
  await closed;
  expect(response).toMatch(/^HTTP\/1\.1 413 /);
});

test('renditions have the requested size, in WebP if the client accepts it', async () => {
  const bytes = await draw(400, 200).png().toBuffer();
  expect((await upload('render.png', bytes, 'image/png')).error).toBeNull();
  const pets = ann.client.storage.from('pets');
  const size = async (url: string, accept = '*/*') => {
    const response = await fetch(url, { headers: { accept } });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status, bytes.toString()).toBe(200);
    const { width, height } = await sharp(bytes).metadata();
    return [response.headers.get('content-type'), width, height];
  };
  const publicUrl = (transform: object) =>
    pets.getPublicUrl('render.png', { transform }).data.publicUrl;
  expect(await size(publicUrl({ width: 100 }))).toEqual(['image/png', 100, 50]);
  expect(await size(publicUrl({ width: 100, height: 100 }), 'image/webp')).toEqual([
    'image/webp',
    100,
    100,
  ]);
  const fit = publicUrl({ width: 100, height: 100, resize: 'contain' });
  expect(await size(fit)).toEqual(['image/png', 100, 50]);
  expect(await size(publicUrl({ width: 2000 }))).toEqual(['image/png', 400, 200]);
  const { data } = await pets.createSignedUrl('render.png', 60, { transform: { width: 50 } });
  expect(await size(data?.signedUrl ?? '')).toEqual(['image/png', 50, 25]);
  const { data: own } = await pets.download('render.png', { transform: { width: 20, height: 20 } });
  expect((await sharp(await own?.arrayBuffer()).metadata()).width).toBe(20);
  expect((await fetch(publicUrl({ width: 99999 }))).status).toBe(400);
});

test('the size and quality of anonymous callers are rounded to a few values, to limit the number of renditions', async () => {
  const bytes = await draw(400, 200).jpeg().toBuffer();
  expect((await upload('steps.jpg', bytes, 'image/jpeg')).error).toBeNull();
  const pets = ann.client.storage.from('pets');
  const send = async (transform: object) => {
    const response = await fetch(pets.getPublicUrl('steps.jpg', { transform }).data.publicUrl);
    const { width } = await sharp(await response.arrayBuffer()).metadata();
    return [width, response.headers.get('etag')];
  };
  const [width, tag] = await send({ width: 129 });
  expect(width).toBe(160);
  for (const transform of [{ width: 150 }, { width: 160, quality: 61 }])
    expect(await send(transform)).toEqual([160, tag]);
  // The endpoints for authenticated callers also round the sizes that anonymous callers request.
  await host.sql`create policy "pets are for everybody" on storage.objects for select to anon using (bucket_id = 'pets')`;
  const stranger = host.client().storage.from('pets');
  const transform = { width: 150 };
  const { data: read } = await stranger.download('steps.jpg', { transform });
  expect((await sharp(await read?.arrayBuffer()).metadata()).width).toBe(160);
  const { data: link } = await stranger.createSignedUrl('steps.jpg', 60, { transform });
  const linked = await fetch(link?.signedUrl ?? '');
  expect((await sharp(await linked.arrayBuffer()).metadata()).width).toBe(160);
});

test('a rendition whose callers have all disconnected is not made', async () => {
  const bytes = await draw(1600, 1600).jpeg().toBuffer();
  expect((await upload('left.jpg', bytes, 'image/jpeg')).error).toBeNull();
  const made = () => readdirSync(path.join(host.settings.DATA_DIR, 'storage/renditions')).length;
  const before = made();
  const gone = new AbortController();
  const send = (width: number, signal: AbortSignal | null = null) =>
    fetch(`${host.url}/storage/v1/render/image/authenticated/pets/left.jpg?width=${width}`, {
      headers: { authorization: `Bearer ${ann.token}` },
      signal,
    }).then(async (response) => [response.status, (await response.arrayBuffer()).byteLength > 0]);
  const first = send(1000);
  const left = Array.from({ length: 40 }, (_, index) =>
    send(1001 + index, gone.signal).catch((error: Error) => error.name),
  );
  const another = send(1040);
  expect(await first).toEqual([200, true]);
  gone.abort();
  expect(
    (await Promise.all(left)).filter((response) => response === 'AbortError').length,
  ).toBeGreaterThan(20);
  expect(await another).toEqual([200, true]);
  // Renditions are made in the order of their requests, so no earlier request can still be queued after this one.
  expect(await send(1100)).toEqual([200, true]);
  expect(made() - before).toBeLessThan(20);
});

test('a caller has one rendition at a time and a limited queue; unknown callers only share the total limit', async () => {
  vi.spyOn(os, 'availableParallelism').mockReturnValue(4);
  onTestFinished(() => void vi.restoreAllMocks());
  const images = new Images();
  const begun: unknown[] = [];
  let end = (): void => undefined;
  const held = new Promise<never>((_, reject) => (end = () => reject(new Error('ended'))));
  const how = { width: 8, height: null, resize: 'cover', quality: 80, format: 'webp' } as const;
  const users = ['a', 'b', null].flatMap((who) => Array.from({ length: 51 }, () => who));
  const requests = users.map((who) => {
    const load = () => {
      begun.push(who);
      return held;
    };
    return images.transform(load, how, who).catch((error: Error) => error);
  });
  expect(begun).toEqual(['a', 'b', null]);
  end();
  const full = (await Promise.all(requests)).map((response) => response instanceof FullError);
  expect(users.filter((_, index) => full[index])).toEqual(['a', 'b']);
});

test('after the image process crashed the upload can be repeated, and the operator sees the reason', async () => {
  const { log, lines } = startLog();
  const jobs = { ...host.jobs, run: () => Promise.resolve() };
  const storage = await createStorageService({ ...host, jobs, log });
  const broken = new ImageProcessError('The image process ended with SIGSEGV');
  vi.spyOn(ImageProcess.prototype, 'run').mockRejectedValueOnce(broken);
  const request = new Request('http://storage.test/object/pets/broken.png', {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'image/png' },
    body: await draw().png().toBuffer(),
  });
  const response = await storage.handle(request, contextOf(request, log));
  expect(await response.json()).toMatchObject({ statusCode: '429', error: 'TooManyRequests' });
  expect(lines).toMatchObject([{ error: broken.message }]);
  await storage.close();
});
