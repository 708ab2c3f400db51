// Routes of storage-api: paths, methods and their handlers.
import { json, type RequestContext } from '#/host/lib/http.ts';
import { createRouter } from '#/host/lib/router.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import { VISITOR } from '#/host/limits/caller-quotas.ts';
import * as buckets from '#/host/storage/buckets.ts';
import * as change from '#/host/storage/object-changes.ts';
import {
  callerOf,
  readJson,
  storageFor,
  type Call,
  type CallersStorage,
  type StorageContext,
} from '#/host/storage/context.ts';
import { StorageError } from '#/host/storage/errors.ts';
import { checkBucketName, checkKey, decodePath } from '#/host/storage/allowed-names.ts';
import { listByCursor, listLevel } from '#/host/storage/list.ts';
import { findObject, findPublicObject, type ObjectRow } from '#/host/storage/objects.ts';
import { allowedTransformation, parseTransformation, renderObject } from '#/host/storage/render.ts';
import { describeObject, sendObject } from '#/host/storage/send.ts';
import * as signed from '#/host/storage/signed-urls.ts';
import { uploadObject } from '#/host/storage/upload.ts';

type Handler = (call: Call) => Promise<Response>;

/** Finds the object that a route names, and the caller whose policies apply. */
type Find = (call: Call) => Promise<{ storage: CallersStorage; object: ObjectRow }>;

const publicObject: Find = async ({ bucket, name, as }) => {
  const storage = as(VISITOR);
  return { storage, object: await findPublicObject(storage, bucket, name) };
};

const ownObject: Find = async ({ bucket, name, asCaller }) => {
  const storage = await asCaller();
  return { storage, object: await findObject(storage, bucket, name) };
};

async function signedObject(call: Call) {
  const storage = call.as(VISITOR);
  const payload = await signed.openSigned(storage, 'storage-read', call);
  const object = await findObject(storage, call.bucket, call.name, storage.queryUnchecked);
  return { payload, storage, object };
}

const send =
  (find: Find): Handler =>
  async (call) => {
    const { storage, object } = await find(call);
    return sendObject(storage, call, object);
  };

const render =
  (find: Find): Handler =>
  async (call) => {
    const { storage, object } = await find(call);
    const requested = Object.fromEntries(call.url.searchParams);
    const how = parseTransformation(requested, call.request.headers.get('accept'));
    return renderObject(storage, call, object, allowedTransformation(how, storage.claims));
  };

const renderSigned: Handler = async (call) => {
  const { payload, storage, object } = await signedObject(call);
  const how = parseTransformation(payload.transform ?? {}, call.request.headers.get('accept'));
  return renderObject(storage, call, object, how);
};

const upload =
  (replaces: boolean): Handler =>
  async ({ request, bucket, name, upserts, asCaller }) => {
    const storage = await asCaller();
    const id = await uploadObject(storage, request, {
      bucket,
      name: checkKey(name),
      upsert: replaces || upserts,
      trusted: storage.claims.role === 'service_role',
    });
    return json({ Id: id, Key: `${bucket}/${name}` });
  };

const uploadSigned: Handler = async (call) => {
  const { request, bucket, name } = call;
  checkKey(name);
  const storage = call.as(VISITOR);
  const payload = await signed.openSigned(storage, 'storage-write', call);
  const target = { bucket, name, upsert: payload.upsert === true, trusted: false };
  const maker = await signed.makerOf(storage, payload);
  const id = await uploadObject(call.as(maker), request, target);
  return json({ Id: id, Key: `${bucket}/${name}` });
};

/** Creates a handler that requires a caller's token and responds in JSON. */
const authenticated =
  (work: (storage: CallersStorage, call: Call) => Promise<unknown>): Handler =>
  async (call) =>
    json(await work(await call.asCaller(), call));

const findRoute = createRouter<Handler>([
  ['GET', '/bucket', authenticated(buckets.listBuckets)],
  ['POST', '/bucket', authenticated(buckets.createBucket)],
  ['POST', '/bucket/:bucket/empty', authenticated(buckets.emptyBucket)],
  ['GET', '/bucket/:bucket', authenticated(buckets.getBucket)],
  ['PUT', '/bucket/:bucket', authenticated(buckets.updateBucket)],
  ['DELETE', '/bucket/:bucket', authenticated(buckets.deleteBucket)],
  ['POST', '/object/list/:bucket', authenticated(listLevel)],
  ['POST', '/object/list-v2/:bucket', authenticated(listByCursor)],
  ['POST', '/object/move', authenticated(change.moveObject)],
  ['POST', '/object/copy', authenticated(change.copyObject)],
  ['POST', '/object/upload/sign/:bucket/*name', authenticated(signed.signUpload)],
  ['PUT', '/object/upload/sign/:bucket/*name', uploadSigned],
  ['POST', '/object/sign/:bucket/*name', authenticated(signed.signObject)],
  ['POST', '/object/sign/:bucket', authenticated(signed.signObjects)],
  ['GET HEAD', '/object/sign/:bucket/*name', send(signedObject)],
  ['GET HEAD', '/object/info/:bucket/*name', authenticated(describeObject)],
  ['GET HEAD', '/object/public/:bucket/*name', send(publicObject)],
  ['GET HEAD', '/object/:bucket/*name', send(ownObject)],
  ['POST', '/object/:bucket/*name', upload(false)],
  ['PUT', '/object/:bucket/*name', upload(true)],
  ['DELETE', '/object/:bucket', authenticated(change.removeObjects)],
  ['GET HEAD', '/render/image/public/:bucket/*name', render(publicObject)],
  ['GET HEAD', '/render/image/authenticated/:bucket/*name', render(ownObject)],
  ['GET HEAD', '/render/image/sign/:bucket/*name', renderSigned],
]);

/** Handles a request to /storage/v1. @throws StorageError and errors of PostgreSQL */
export async function route(
  context: StorageContext,
  request: Request,
  { url, ip }: RequestContext,
): Promise<Response> {
  const path = url.pathname.replace(/^\/storage\/v1/, '');
  const route = findRoute(request.method, path);
  if (typeof route === 'string')
    throw new StorageError(404, 'Not Found', `Route ${request.method}:${url.pathname} not found`);
  const bucket = decodePath(route.params.bucket ?? '');
  const name = decodePath(route.params.name ?? '');
  if (bucket !== '') checkBucketName(bucket);
  const as = (claims: Claims) => storageFor(context, claims, ip);
  return route.handler({
    request,
    url,
    bucket,
    name,
    upserts: request.headers.get('x-upsert') === 'true',
    body: (schema) => readJson(request, schema),
    asCaller: async () => as(await callerOf(context, request)),
    as,
  });
}
