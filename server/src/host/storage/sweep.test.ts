// Tests that bytes and rows stay consistent: after crashes and deletions by SQL, with two hosts, on disk and in an S3-compatible
// store.
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startS3Server } from '../../../../testing/s3-server.ts';
import { createTestDatabase, startTestHost, type TestHost } from '../../../../testing/test-host.ts';
import { createStorageContext, storageFor } from '#/host/storage/context.ts';
import { createObject, createObjects } from '#/host/storage/objects.ts';
import { sweepBytes, sweepRenditions } from '#/host/storage/sweep.ts';
import { storeObjects } from '#/host/storage/upload.ts';
import { draw } from '../../../../testing/draw.ts';

const s3 = await startS3Server();

describe.each(['disk', 'S3'])('on %s', async (where) => {
  const shared = where === 'S3' ? s3.environment : {};
  const DATABASE_URL = await createTestDatabase();
  const first = await startTestHost({ DATABASE_URL, ...shared });
  const second = await startTestHost({
    DATABASE_URL,
    ...shared,
    DATA_DIR: first.settings.DATA_DIR,
  });
  await first.sql(`insert into storage.buckets (id, name, public) values ('box', 'box', true)`);
  const context = await createStorageContext(first);
  const asService = storageFor(context, { role: 'service_role' }, '');
  const object = { bucket: 'box', upsert: false, metadata: null, userMetadata: null };

  async function stored(): Promise<string[]> {
    if (where === 'S3') return (await s3.keys()).map((key) => path.basename(key)).sort();
    const folder = path.join(first.settings.DATA_DIR, 'storage', 'bytes');
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    return files
      .filter((file) => file.isFile())
      .map(({ name }) => name)
      .sort();
  }

  const versions = async () =>
    (await first.sql<{ version: string }>('select version from storage.objects order by 1')).map(
      ({ version }) => version,
    );

  /** Makes all queued deletions due. */
  const later = () => first.sql('update storage.deleted_bytes set due_at = now()');

  const box = (host: TestHost) => host.service().storage.from('box');

  test('an object stored by one host is served by the other, including ranges and copies', async () => {
    const large = Buffer.alloc(700_000, 'ab');
    expect((await box(first).upload('large.bin', large)).error).toBeNull();
    expect((await box(second).copy('large.bin', 'copy.bin')).error).toBeNull();
    const { data } = await box(second).download('copy.bin');
    expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer()).equals(large)).toBe(true);
    const url = box(second).getPublicUrl('copy.bin').data.publicUrl;
    const part = await fetch(url, { headers: { range: 'bytes=2-5' } });
    expect(await part.text()).toBe('abab');
  });

  test('after replacing, removing and deleting by SQL, only the bytes of existing rows are left', async () => {
    await box(first).upload('a.txt', 'one');
    await box(first).upload('a.txt', 'two', { upsert: true });
    await box(first).upload('b.txt', 'three');
    await box(first).remove(['b.txt']);
    await box(first).upload('c.txt', 'four');
    await first.sql(`delete from storage.objects where name = 'c.txt'`);
    const before = await stored();
    await sweepBytes(context);
    expect(await stored()).toEqual(before);
    await later();
    expect(await sweepBytes(context)).toBe(3);
    expect(await stored()).toEqual(await versions());
    expect(await (await box(second).download('a.txt')).data?.text()).toBe('two');
  });

  test('renditions are removed with their original, on the host that made them', async () => {
    const photo = await draw(60, 40).png().toBuffer();
    await box(first).upload('dog.png', photo, { contentType: 'image/png' });
    const url = box(first).getPublicUrl('dog.png', { transform: { width: 16 } }).data.publicUrl;
    expect((await fetch(url)).status).toBe(200);
    const folder = path.join(first.settings.DATA_DIR, 'storage', 'renditions');
    const [row] = await first.sql<{ version: string }>(
      `select version from storage.objects where name = 'dog.png'`,
    );
    const copies = async () =>
      (await readdir(folder)).filter((name) => name.startsWith(row?.version ?? ''));
    expect(await copies()).toHaveLength(1);
    // A new context finds existing files again, as after a restart.
    const found = await createStorageContext(first);
    await sweepRenditions(found);
    expect(await copies()).toHaveLength(1);
    await box(second).remove(['dog.png']);
    await sweepRenditions(found);
    expect(await copies()).toEqual([]);
  });

  test('a crash after writing the bytes leaves no row, and the bytes are swept', async () => {
    const version = randomUUID();
    await first.sql`insert into storage.deleted_bytes values (${version}, now() + interval '1 hour')`;
    await context.blobs.put(version, new Uint8Array([1, 2, 3]));
    expect(await stored()).toContain(version);
    await sweepBytes(context);
    expect(await stored()).toContain(version);
    await later();
    await sweepBytes(context);
    expect(await stored()).toEqual(await versions());
  });

  test('an upload whose bytes were swept meanwhile creates no row', async () => {
    const slow = createObject(asService, { ...object, name: 'slow' }, async (version) => {
      await context.blobs.put(version, new Uint8Array([1]));
      await later();
      await sweepBytes(context);
    });
    await expect(slow).rejects.toMatchObject({ status: 423 });
    expect((await box(first).exists('slow')).data).toBe(false);
  });

  test('bytes that cannot be written leave no row, not even of objects created with them', async () => {
    const place = (version: string) => context.blobs.put(version, new Uint8Array([1]));
    const whole = { ...object, name: 'whole', place };
    const fail = () => Promise.reject(new Error('the disk is full'));
    const broken = createObjects(asService, [whole, { ...object, name: 'broken', place: fail }]);
    await expect(broken).rejects.toThrow('the disk is full');
    for (const name of ['whole', 'broken'])
      expect((await box(first).exists(name)).data).toBe(false);
    expect(await createObjects(asService, [whole, { ...whole, name: 'other' }])).toHaveLength(2);
    for (const name of ['whole', 'other']) expect((await box(first).exists(name)).data).toBe(true);
  });

  test('a row without bytes is reported as not found', async () => {
    await box(first).upload('lost.txt', 'x');
    const [row] = await first.sql<{ version: string }>(
      `select version from storage.objects where name = 'lost.txt'`,
    );
    await context.blobs.remove([row?.version ?? '']);
    expect((await box(first).download('lost.txt')).error).toMatchObject({ statusCode: '404' });
    await first.sql`insert into storage.objects (bucket_id, name, version) values ('box', 'by-hand', '../../../etc/passwd')`;
    expect((await box(first).download('by-hand')).error).toMatchObject({ statusCode: '404' });
  });

  test('commands store objects without a request, and repeating them creates no duplicates', async () => {
    const file = { bucket: 'box', name: 'parks-en.json', mimetype: 'application/json' };
    const content = (text: string) => new TextEncoder().encode(text);
    const ids = await storeObjects(context, [{ ...file, content: content('[1]') }]);
    expect(await storeObjects(context, [{ ...file, content: content('[2]') }])).toEqual(ids);
    const url = box(first).getPublicUrl('parks-en.json').data.publicUrl;
    expect(await (await fetch(url)).json()).toEqual([2]);
  });
});

test('concurrent uploads of one name do not return 500, and the winner’s bytes are stored', async () => {
  const host = await startTestHost();
  await host.sql(`insert into storage.buckets (id, name) values ('box', 'box')`);
  const box = host.service().storage.from('box');
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      box.upload('same', `text ${index}`, { upsert: index % 2 === 0 }),
    ),
  );
  for (const { error } of responses)
    if (error) expect(['409', '423']).toContain((error as { statusCode?: string }).statusCode);
  expect(await (await box.download('same')).data?.text()).toMatch(/^text \d+$/);
});
