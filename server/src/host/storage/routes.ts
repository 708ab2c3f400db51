// Which request to storage means which operation: the paths and methods of storage-api.
import * as v from 'valibot';
import { addressSubject, isLoopback } from '#/host/lib/addresses.ts';
import { json } from '#/host/lib/http.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import * as buckets from '#/host/storage/buckets.ts';
import * as change from '#/host/storage/change.ts';
import { callerOf, inCallersShare, readJson, type StorageContext } from '#/host/storage/context.ts';
import { invalidRequest, noSuchBucket, StorageError } from '#/host/storage/errors.ts';
import { checkBucketName, checkKey, decodePath } from '#/host/storage/keys.ts';
import { cursorListSchema, listByCursor, listLevel, listSchema } from '#/host/storage/list.ts';
import { findAnyObject, findBucket, findObject, type ObjectRow } from '#/host/storage/objects.ts';
import { allowedTransformation, parseTransformation, renderObject } from '#/host/storage/render.ts';
import { describeObject, sendObject } from '#/host/storage/send.ts';
import * as signed from '#/host/storage/signed.ts';
import { uploadObject } from '#/host/storage/upload.ts';

interface Call {
  context: StorageContext;
  request: Request;
  address: string;
  url: URL;
  bucket: string;
  name: string;
  /** Asks who calls; only routes that need it do. @throws StorageError */
  caller(): Promise<Claims>;
}

type Handler = (call: Call) => Promise<Response>;

/** Who asks, for limits: a person, else an address; null where neither is known. */
function whoAsks({ sub }: { sub?: unknown }, address: string): string | null {
  if (typeof sub === 'string') return sub;
  // A request from this machine may come from a proxy that is not configured.
  return isLoopback(address) ? null : addressSubject(address);
}

const upserts = (request: Request) => request.headers.get('x-upsert') === 'true';

/** An object of a public bucket, for anyone. Private buckets look as if they did not exist. */
async function publicObject({ context, bucket, name }: Call) {
  if (!(await findBucket(context, null, bucket)).public) throw noSuchBucket();
  return { object: await findAnyObject(context, bucket, checkKey(name)), claims: {} };
}

async function ownObject({ context, bucket, name, caller }: Call) {
  const claims = await caller();
  return { object: await findObject(context, claims, bucket, checkKey(name)), claims };
}

async function signedObject({ context, url, bucket, name }: Call) {
  const token = url.searchParams.get('token');
  const payload = await signed.openSigned(context, 'storage-read', token, `${bucket}/${name}`);
  const object = await findAnyObject(context, bucket, checkKey(name));
  return { payload, object, claims: {} };
}

/** How a route finds its object, and as whom. */
type Find = (call: Call) => Promise<{ object: ObjectRow; claims: Partial<Claims> }>;

const send =
  (find: Find): Handler =>
  async (call) =>
    sendObject(call.context, call.request, (await find(call)).object);

const inform =
  (find: Find): Handler =>
  async (call) =>
    json(describeObject((await find(call)).object));

const render =
  (find: Find): Handler =>
  async (call) => {
    const { context, request, url, address } = call;
    const { object, claims } = await find(call);
    const how = parseTransformation(
      Object.fromEntries(url.searchParams),
      request.headers.get('accept'),
    );
    const who = whoAsks(claims, address);
    return renderObject(context, request, object, allowedTransformation(how, claims), who);
  };

const upload =
  (replaces: boolean): Handler =>
  async ({ context, request, address, bucket, name, caller }) => {
    const claims = await caller();
    const who = whoAsks(claims, address);
    const target = { bucket, name: checkKey(name), claims, ownerSub: claims.sub, who };
    const upsert = replaces || upserts(request);
    const trusted = claims.role === 'service_role';
    const { id } = await uploadObject(context, request, { ...target, upsert, trusted });
    return json({ Id: id, Key: `${bucket}/${name}` });
  };

const uploadSigned: Handler = async ({ context, request, address, url, bucket, name }) => {
  const token = url.searchParams.get('token');
  const path = `${bucket}/${checkKey(name)}`;
  const payload = await signed.openSigned(context, 'storage-write', token, path);
  const claims = signed.makerOf(payload);
  const who = whoAsks(claims, address);
  const target = { bucket, name, claims, ownerSub: claims.sub, trusted: false, who };
  const upsert = payload.upsert === true;
  const { id } = await uploadObject(context, request, { ...target, upsert });
  return json({ Id: id, Key: path });
};

const renderSigned: Handler = async (call) => {
  const { payload, object, claims } = await signedObject(call);
  const how = parseTransformation(payload.transform ?? {}, call.request.headers.get('accept'));
  const who = whoAsks(claims, call.address);
  return renderObject(call.context, call.request, object, how, who);
};

async function bucketsFor({ context, url }: Call, claims: Claims) {
  const query = v.safeParse(buckets.listBucketsSchema, Object.fromEntries(url.searchParams));
  if (!query.success) throw invalidRequest(`querystring ${query.issues[0].message}`);
  return buckets.listBuckets(context, claims, query.output);
}

const asks =
  (work: (call: Call, claims: Claims) => Promise<unknown>): Handler =>
  async (call) =>
    json(await work(call, await call.caller()));

/** The same with a JSON body, checked first. */
const takes = <const S extends v.GenericSchema>(
  schema: S,
  work: (call: Call, claims: Claims, body: v.InferOutput<S>) => Promise<unknown>,
): Handler =>
  asks(async (call, claims) => work(call, claims, await readJson(call.request, schema)));

type Of<Rest extends unknown[]> = (
  context: StorageContext,
  claims: Claims,
  ...rest: Rest
) => Promise<unknown>;

const ofBucket = (work: Of<[bucket: string]>): Handler =>
  asks(({ context, bucket }, claims) => work(context, claims, bucket));

const withBody = <const S extends v.GenericSchema>(
  schema: S,
  work: Of<[body: v.InferOutput<S>]>,
): Handler => takes(schema, ({ context }, claims, body) => work(context, claims, body));

const inBucket = <const S extends v.GenericSchema>(
  schema: S,
  work: Of<[bucket: string, body: v.InferOutput<S>]>,
): Handler =>
  takes(schema, ({ context, bucket }, claims, body) => work(context, claims, bucket, body));

const copy = takes(change.relocateSchema, ({ context, request }, claims, body) =>
  change.copyObject(context, claims, body, upserts(request)),
);
const signUpload = asks(({ context, request, bucket, name }, claims) =>
  signed.signUpload(context, claims, bucket, name, upserts(request)),
);
const sign = takes(signed.signSchema, ({ context, bucket, name }, claims, body) =>
  signed.signObject(context, claims, bucket, name, body),
);
const remove = takes(change.removeSchema, ({ context, bucket }, claims, { prefixes }) =>
  change.removeObjects(context, claims, bucket, prefixes),
);

/** Methods, pattern and handler; the first that fits. `:b` is a bucket, `*` an object's name. */
const ROUTES: [methods: string, pattern: string, handler: Handler][] = [
  ['GET', '/bucket', asks(bucketsFor)],
  ['POST', '/bucket', withBody(buckets.createBucketSchema, buckets.createBucket)],
  ['POST', '/bucket/:b/empty', ofBucket(buckets.emptyBucket)],
  ['GET', '/bucket/:b', ofBucket(buckets.getBucket)],
  ['PUT', '/bucket/:b', inBucket(buckets.updateBucketSchema, buckets.updateBucket)],
  ['DELETE', '/bucket/:b', ofBucket(buckets.deleteBucket)],
  ['POST', '/object/list/:b', inBucket(listSchema, listLevel)],
  ['POST', '/object/list-v2/:b', inBucket(cursorListSchema, listByCursor)],
  ['POST', '/object/move', withBody(change.relocateSchema, change.moveObject)],
  ['POST', '/object/copy', copy],
  ['POST', '/object/upload/sign/:b/*', signUpload],
  ['PUT', '/object/upload/sign/:b/*', uploadSigned],
  ['POST', '/object/sign/:b/*', sign],
  ['POST', '/object/sign/:b', inBucket(signed.signManySchema, signed.signObjects)],
  ['GET HEAD', '/object/sign/:b/*', send(signedObject)],
  ['GET HEAD', '/object/info/:b/*', inform(ownObject)],
  ['GET HEAD', '/object/public/:b/*', send(publicObject)],
  ['GET HEAD', '/object/:b/*', send(ownObject)],
  ['POST', '/object/:b/*', upload(false)],
  ['PUT', '/object/:b/*', upload(true)],
  ['DELETE', '/object/:b', remove],
  ['GET HEAD', '/render/image/public/:b/*', render(publicObject)],
  ['GET HEAD', '/render/image/authenticated/:b/*', render(ownObject)],
  ['GET HEAD', '/render/image/sign/:b/*', renderSigned],
];

const COMPILED = ROUTES.map(([methods, pattern, handler]) => ({
  methods: methods.split(' '),
  match: new RegExp(`^${pattern.replace(':b', '([^/]+)').replace('*', '(.+)')}$`),
  handler,
}));

/** Answers a request to /storage/v1. @throws StorageError, and what PostgreSQL throws */
export async function route(
  storage: StorageContext,
  request: Request,
  address: string,
): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname.replace(/^\/storage\/v1/, '');
  for (const { methods, match, handler } of COMPILED) {
    const found = methods.includes(request.method) && match.exec(path);
    if (!found) continue;
    const [bucket, name] = [decodePath(found[1] ?? ''), decodePath(found[2] ?? '')];
    if (bucket !== '') checkBucketName(bucket);
    const context = inCallersShare(storage, address);
    const caller = () => callerOf(context, request);
    return handler({ context, request, address, url, bucket, name, caller });
  }
  throw new StorageError(404, 'Not Found', `Route ${request.method}:${url.pathname} not found`);
}
