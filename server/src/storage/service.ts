// The storage service (/storage/v1, storage-api's protocol): which request means which operation.
import * as v from 'valibot';
import { isDatabaseDown, type Database } from '#/db/database.ts';
import { json, type Service } from '#/lib/http.ts';
import type { Log } from '#/lib/log.ts';
import type { Settings } from '#/lib/settings.ts';
import type { Claims, Tokens } from '#/lib/tokens.ts';
import * as buckets from '#/storage/buckets.ts';
import * as change from '#/storage/change.ts';
import {
  callerOf,
  createStorageContext,
  readJson,
  type StorageContext,
} from '#/storage/context.ts';
import { errorResponse, invalidRequest, noSuchBucket, StorageError } from '#/storage/errors.ts';
import { checkBucketName, checkKey, decodePath } from '#/storage/keys.ts';
import { cursorListSchema, listByCursor, listLevel, listSchema } from '#/storage/list.ts';
import { findBucket, findObject, type ObjectRow } from '#/storage/objects.ts';
import { parseTransformation, renderObject } from '#/storage/render.ts';
import { describeObject, sendObject } from '#/storage/send.ts';
import * as signed from '#/storage/signed.ts';
import { startSweeping } from '#/storage/sweep.ts';
import { uploadObject } from '#/storage/upload.ts';

interface Call {
  context: StorageContext;
  request: Request;
  url: URL;
  bucket: string;
  /** The object's name, or empty. */
  name: string;
  /** Asks who calls; only routes that need it do. @throws StorageError */
  caller(): Promise<Claims>;
}

type Handler = (call: Call) => Promise<Response>;

const upserts = (request: Request) => request.headers.get('x-upsert') === 'true';

/** An object of a public bucket, for anyone. Private buckets look as if they did not exist. */
async function publicObject({ context, bucket, name }: Call): Promise<ObjectRow> {
  if (!(await findBucket(context, bucket)).public) throw noSuchBucket();
  return findObject(context, null, bucket, checkKey(name));
}

async function ownObject({ context, bucket, name, caller }: Call): Promise<ObjectRow> {
  return findObject(context, await caller(), bucket, checkKey(name));
}

async function signedObject({ context, url, bucket, name }: Call) {
  const token = url.searchParams.get('token');
  const payload = await signed.openSigned(context, 'storage-read', token, `${bucket}/${name}`);
  return { payload, object: await findObject(context, null, bucket, checkKey(name)) };
}

const send =
  (find: (call: Call) => Promise<ObjectRow>): Handler =>
  async (call) =>
    sendObject(call.context, call.request, await find(call));

const inform =
  (find: (call: Call) => Promise<ObjectRow>): Handler =>
  async (call) =>
    json(describeObject(await find(call)));

const render =
  (find: (call: Call) => Promise<ObjectRow>): Handler =>
  async (call) => {
    const { context, request, url } = call;
    const object = await find(call);
    const how = parseTransformation(
      Object.fromEntries(url.searchParams),
      request.headers.get('accept'),
    );
    return renderObject(context, request, object, how);
  };

const upload =
  (replaces: boolean): Handler =>
  async ({ context, request, bucket, name, caller }) => {
    const claims = await caller();
    const target = { bucket, name: checkKey(name), claims, ownerSub: claims.sub };
    const upsert = replaces || upserts(request);
    const trusted = claims.role === 'service_role';
    const { id } = await uploadObject(context, request, { ...target, upsert, trusted });
    return json({ Id: id, Key: `${bucket}/${name}` });
  };

/** Method and pattern to handler; the first that fits. `:b` is a bucket, `*` an object's name. */
const ROUTES: [methods: string, pattern: string, handler: Handler][] = [
  [
    'GET',
    '/bucket',
    async ({ context, url, caller }) => {
      const query = v.safeParse(buckets.listBucketsSchema, Object.fromEntries(url.searchParams));
      if (!query.success) throw invalidRequest(`querystring ${query.issues[0].message}`);
      return json(await buckets.listBuckets(context, await caller(), query.output));
    },
  ],
  [
    'POST',
    '/bucket',
    async ({ context, request, caller }) =>
      json(
        await buckets.createBucket(
          context,
          await caller(),
          await readJson(request, buckets.createBucketSchema),
        ),
      ),
  ],
  [
    'POST',
    '/bucket/:b/empty',
    async ({ context, bucket, caller }) =>
      json(await buckets.emptyBucket(context, await caller(), bucket)),
  ],
  [
    'GET',
    '/bucket/:b',
    async ({ context, bucket, caller }) =>
      json(await buckets.getBucket(context, await caller(), bucket)),
  ],
  [
    'PUT',
    '/bucket/:b',
    async ({ context, request, bucket, caller }) => {
      const claims = await caller();
      const change = await readJson(request, buckets.updateBucketSchema);
      return json(await buckets.updateBucket(context, claims, bucket, change));
    },
  ],
  [
    'DELETE',
    '/bucket/:b',
    async ({ context, bucket, caller }) =>
      json(await buckets.deleteBucket(context, await caller(), bucket)),
  ],
  [
    'POST',
    '/object/list/:b',
    async ({ context, request, bucket, caller }) => {
      const claims = await caller();
      return json(await listLevel(context, claims, bucket, await readJson(request, listSchema)));
    },
  ],
  [
    'POST',
    '/object/list-v2/:b',
    async ({ context, request, bucket, caller }) => {
      const claims = await caller();
      const query = await readJson(request, cursorListSchema);
      return json(await listByCursor(context, claims, bucket, query));
    },
  ],
  [
    'POST',
    '/object/move',
    async ({ context, request, caller }) => {
      const claims = await caller();
      const query = await readJson(request, change.relocateSchema);
      return json(await change.moveObject(context, claims, query));
    },
  ],
  [
    'POST',
    '/object/copy',
    async ({ context, request, caller }) => {
      const claims = await caller();
      const query = await readJson(request, change.relocateSchema);
      return json(await change.copyObject(context, claims, query, upserts(request)));
    },
  ],
  [
    'POST',
    '/object/upload/sign/:b/*',
    async ({ context, request, bucket, name, caller }) =>
      json(await signed.signUpload(context, await caller(), bucket, name, upserts(request))),
  ],
  [
    'PUT',
    '/object/upload/sign/:b/*',
    async ({ context, request, url, bucket, name }) => {
      const token = url.searchParams.get('token');
      const path = `${bucket}/${checkKey(name)}`;
      const payload = await signed.openSigned(context, 'storage-write', token, path);
      const { id } = await uploadObject(context, request, {
        bucket,
        name,
        claims: signed.makerOf(payload),
        ownerSub: payload.owner,
        upsert: payload.upsert === true,
        trusted: false,
      });
      return json({ Id: id, Key: path });
    },
  ],
  [
    'POST',
    '/object/sign/:b/*',
    async ({ context, request, bucket, name, caller }) => {
      const claims = await caller();
      const query = await readJson(request, signed.signSchema);
      return json(await signed.signObject(context, claims, bucket, name, query));
    },
  ],
  [
    'POST',
    '/object/sign/:b',
    async ({ context, request, bucket, caller }) => {
      const claims = await caller();
      const query = await readJson(request, signed.signManySchema);
      return json(await signed.signObjects(context, claims, bucket, query));
    },
  ],
  ['GET HEAD', '/object/sign/:b/*', send(async (call) => (await signedObject(call)).object)],
  ['GET HEAD', '/object/info/public/:b/*', inform(publicObject)],
  ['GET HEAD', '/object/info/authenticated/:b/*', inform(ownObject)],
  ['GET HEAD', '/object/info/:b/*', inform(ownObject)],
  ['GET HEAD', '/object/public/:b/*', send(publicObject)],
  ['GET HEAD', '/object/authenticated/:b/*', send(ownObject)],
  ['GET HEAD', '/object/:b/*', send(ownObject)],
  ['POST', '/object/:b/*', upload(false)],
  ['PUT', '/object/:b/*', upload(true)],
  [
    'DELETE',
    '/object/:b/*',
    async ({ context, bucket, name, caller }) => {
      const removed = await change.removeObjects(context, await caller(), bucket, [checkKey(name)]);
      if (removed.length === 0) throw new StorageError(404, 'not_found', 'Object not found');
      return json({ message: 'Successfully deleted' });
    },
  ],
  [
    'DELETE',
    '/object/:b',
    async ({ context, request, bucket, caller }) => {
      const claims = await caller();
      const { prefixes } = await readJson(request, change.removeSchema);
      return json(await change.removeObjects(context, claims, bucket, prefixes));
    },
  ],
  ['GET HEAD', '/render/image/public/:b/*', render(publicObject)],
  ['GET HEAD', '/render/image/authenticated/:b/*', render(ownObject)],
  [
    'GET HEAD',
    '/render/image/sign/:b/*',
    async (call) => {
      const { payload, object } = await signedObject(call);
      const how = parseTransformation(payload.transform ?? {}, call.request.headers.get('accept'));
      return renderObject(call.context, call.request, object, how);
    },
  ],
];

const COMPILED = ROUTES.map(([methods, pattern, handler]) => ({
  methods: methods.split(' '),
  match: new RegExp(`^${pattern.replace(':b', '([^/]+)').replace('*', '(.+)')}$`),
  handler,
}));

/** The service, and what else in the host may use of storage. */
export interface StorageService {
  handle: Service;
  context: StorageContext;
  close(): Promise<void>;
}

/** Makes the storage service and starts sweeping bytes that nothing needs. */
export async function createStorageService(parts: {
  settings: Settings;
  database: Database;
  tokens: Tokens;
  log: Log;
}): Promise<StorageService> {
  const context = await createStorageContext(parts);
  const stopSweeping = startSweeping(context, parts.log);

  async function route(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/storage\/v1/, '');
    for (const { methods, match, handler } of COMPILED) {
      const found = methods.includes(request.method) && match.exec(path);
      if (!found) continue;
      const [bucket, name] = [decodePath(found[1] ?? ''), decodePath(found[2] ?? '')];
      if (bucket !== '') checkBucketName(bucket);
      const caller = () => callerOf(context, request);
      return handler({ context, request, url, bucket, name, caller });
    }
    throw new StorageError(404, 'Not Found', `Route ${request.method}:${url.pathname} not found`);
  }

  return {
    context,
    close: stopSweeping,
    async handle(request, { log }) {
      try {
        return await route(request);
      } catch (error) {
        const shown = errorResponse(error);
        // An upload that was refused may not have been read to its end: its connection cannot be used again.
        if (shown && request.body && !/json/.test(request.headers.get('content-type') ?? ''))
          shown.headers.set('connection', 'close');
        if (shown) return shown;
        if (isDatabaseDown(error)) throw error;
        log.error({ error: (error as Error).message }, 'storage: a request failed');
        return json(
          { statusCode: '500', error: 'Internal', message: 'Internal server error' },
          500,
        );
      }
    },
  };
}
