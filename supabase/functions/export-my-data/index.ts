// POST export-my-data: a ZIP with all data stored about the caller: data.json, the photos under their stored names, and, if some
// photos could not be read, missing.json with their names.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import * as v from 'valibot';
import { createConcurrencyLimit } from '../_shared/concurrency.ts';
import { requireUser, serviceClient, unwrap, type ServiceClient } from '../_shared/clients.ts';
import { HttpError, serve } from '../_shared/serve.ts';

const fileSchema = v.object({ bucket: v.string(), name: v.string() });
const pageSchema = v.object({
  heads: v.nullable(v.record(v.string(), v.unknown())),
  /** A long list continues on the next page. */
  lists: v.array(v.object({ name: v.string(), items: v.array(v.unknown()) })),
  /** The argument with which the next page is requested. */
  after: v.nullable(v.record(v.string(), v.nullable(v.string()))),
});
type Page = v.InferOutput<typeof pageSchema>;
type StoredFile = v.InferOutput<typeof fileSchema>;

/** Each export keeps one or two photos in memory while its client reads, so their number is limited. */
const exports = createConcurrencyLimit(20);

/** @throws HttpError if the account was deleted */
async function readPage(
  client: ServiceClient,
  caller: string,
  after: Page['after'],
): Promise<Page> {
  const page = unwrap(await client.rpc('export_user_page', { p_user_id: caller, p_after: after }));
  if (page === null) throw new HttpError(404, 'There is no such user');
  return v.parse(pageSchema, page);
}

/**
 * Yields the text of data.json page by page: one object, formatted as JSON.stringify does with two spaces. Adds the listed files to
 * `files`.
 */
async function* textOf(
  client: ServiceClient,
  caller: string,
  first: Page,
  files: StoredFile[],
): AsyncGenerator<string> {
  const written = (value: unknown, depth: string) =>
    JSON.stringify(value, null, 2).replaceAll('\n', `\n${depth}`);
  const heads = Object.entries(first.heads ?? {});
  yield `{\n${heads.map(([name, value]) => `  ${written(name, '')}: ${written(value, '  ')}`).join(',\n')}`;
  let [open, isEmpty] = ['', true];
  const close = () => (open === '' ? '' : isEmpty ? ']' : '\n  ]');
  for (let page = first; ; page = await readPage(client, caller, page.after)) {
    let text = '';
    for (const { name, items } of page.lists) {
      if (name !== open) {
        text += `${close()},\n  ${written(name, '')}: [`;
        [open, isEmpty] = [name, true];
      }
      for (const item of items) {
        text += `${isEmpty ? '' : ','}\n    ${written(item, '    ')}`;
        isEmpty = false;
      }
      if (name === 'files') files.push(...v.parse(v.array(fileSchema), items));
    }
    yield text;
    if (page.after === null) break;
  }
  yield `${close()}\n}`;
}

/** @param drained resolves when the client has read everything that was written, and rejects if the client has disconnected */
async function fill(
  zip: Zip,
  client: ServiceClient,
  caller: string,
  first: Page,
  drained: () => Promise<void>,
): Promise<void> {
  const files: StoredFile[] = [];
  const text = new ZipDeflate('data.json');
  zip.add(text);
  // Reads one page or photo at a time, at the client's speed, because the whole export may not fit into memory.
  for await (const part of textOf(client, caller, first, files)) {
    text.push(new TextEncoder().encode(part));
    await drained();
  }
  text.push(new Uint8Array(), true);
  const missing: string[] = [];
  for (const { bucket, name } of files) {
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

serve('POST', async (request) => {
  const client = serviceClient();
  const caller = await requireUser(request, client);
  // Defined here, because the stream may call it before the first page arrives from the database.
  let resume: (() => void) | null = null;
  let isOver = false;
  const end = () => {
    isOver = true;
    resume?.();
  };
  const refusal = exports.tryAcquire(caller, end);
  if (refusal === 429) throw new HttpError(429, 'An export is under way already');
  if (refusal === 503) throw new HttpError(503, 'Too many exports right now');
  const first = await readPage(client, caller, null).catch((error: unknown) => {
    exports.release(end);
    throw error;
  });
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
        if (isOver) throw new Error('The export was ended');
      };
      fill(zip, client, caller, first, drained)
        .catch((error: unknown) => controller.error(error))
        .finally(() => exports.release(end));
    },
    pull() {
      resume?.();
    },
    cancel: end,
  });
  return new Response(body, {
    headers: {
      // The official client returns a Blob for this type, whereas it would decode application/zip as text.
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="packpark-my-data.zip"',
      'cache-control': 'no-store',
    },
  });
});
