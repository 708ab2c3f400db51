// POST export-my-data: a zip with everything stored about the caller: data.json, the photos under their stored names, and
// missing.json with the names of photos that could not be read, if any.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import * as v from 'valibot';
import { createConcurrencyLimit } from '../_shared/concurrency.ts';
import { requireUser, serviceClient, unwrap, type ServiceClient } from '../_shared/clients.ts';
import { HttpError, serve } from '../_shared/serve.ts';

const dataSchema = v.looseObject({
  files: v.array(v.object({ bucket: v.string(), name: v.string() })),
});
type Data = v.InferOutput<typeof dataSchema>;

/** An export keeps a photo or two in memory for as long as its reader takes. */
const exports = createConcurrencyLimit(20);

/** @param drained resolves when the reader has taken what was written; rejects when the reader is gone */
async function fill(
  zip: Zip,
  client: ServiceClient,
  data: Data,
  drained: () => Promise<void>,
): Promise<void> {
  const text = new ZipDeflate('data.json');
  zip.add(text);
  text.push(new TextEncoder().encode(JSON.stringify(data, null, 2)), true);
  const missing: string[] = [];
  // One photo at a time, at the reader's speed: no album has to fit into memory.
  for (const { bucket, name } of data.files) {
    await drained();
    const { data: photo, error } = await client.storage.from(bucket).download(name);
    if (!photo) {
      console.warn('export-my-data: a photo cannot be read:', error.message);
      missing.push(`photos/${bucket}/${name}`);
      continue;
    }
    const entry = new ZipPassThrough(`photos/${bucket}/${name}`);
    zip.add(entry);
    entry.push(new Uint8Array(await photo.arrayBuffer()), true);
  }
  if (missing.length > 0) {
    const list = new ZipDeflate('missing.json');
    zip.add(list);
    list.push(new TextEncoder().encode(JSON.stringify(missing, null, 2)), true);
  }
  zip.end();
}

/** @throws HttpError where the account is gone */
async function readData(client: ServiceClient, caller: string): Promise<Data> {
  const stored = unwrap(await client.rpc('export_user_data', { p_user_id: caller }));
  const data = v.safeParse(dataSchema, stored);
  if (!data.success) throw new HttpError(404, 'There is no such user');
  return data.output;
}

serve('POST', async (request) => {
  const client = serviceClient();
  const caller = await requireUser(request, client);
  // Before the database is asked: that reads everything of a person.
  const refusal = exports.tryAcquire(caller);
  if (refusal === 429) throw new HttpError(429, 'An export is under way already');
  if (refusal === 503) throw new HttpError(503, 'Too many exports right now');
  const data = await readData(client, caller).catch((error: unknown) => {
    exports.release(caller);
    throw error;
  });
  let resume: (() => void) | null = null;
  let isGone = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const zip = new Zip((error, chunk, final) => {
        if (error) return controller.error(error);
        controller.enqueue(chunk);
        if (final) controller.close();
      });
      const drained = async () => {
        if ((controller.desiredSize ?? 0) <= 0)
          await new Promise<void>((resolve) => (resume = resolve));
        if (isGone) throw new Error('The reader of the export is gone');
      };
      fill(zip, client, data, drained)
        .catch((error: unknown) => {
          if (!isGone) controller.error(error);
        })
        .finally(() => exports.release(caller));
    },
    pull() {
      resume?.();
    },
    cancel() {
      isGone = true;
      resume?.();
    },
  });
  return new Response(body, {
    headers: {
      // Of this type the official client makes a Blob; it would read a zip's own type as text.
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="packpark-my-data.zip"',
      'cache-control': 'no-store',
    },
  });
});
