// Signed URLs, which allow reading or writing one object for a limited time.
import { jwtVerify, SignJWT, type JWTPayload } from 'jose';
import * as v from 'valibot';
import { isSessionRevoked } from '#/host/revoked-sessions.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import type { Call, CallersStorage, StorageContext } from '#/host/storage/context.ts';
import { StorageError, unauthorized } from '#/host/storage/errors.ts';
import { checkKey } from '#/host/storage/allowed-names.ts';
import { findBucket, findObject, checkMayWrite } from '#/host/storage/objects.ts';
import { allowedTransformation, transformSchema } from '#/host/storage/render.ts';

const UPLOAD_SECONDS = 2 * 60 * 60;

/** A signed URL stays valid even if its creator loses the permission, so its lifetime is limited. */
const MAX_LIFETIME_SECONDS = 60 * 60;

const expiresIn = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.transform((seconds) => Math.min(seconds, MAX_LIFETIME_SECONDS)),
);

const signSchema = v.object({ expiresIn, transform: v.optional(transformSchema) });
const signManySchema = v.object({
  expiresIn,
  paths: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(500)),
});

/** Each purpose has its own key. So a URL for reading cannot be used for writing, and neither can be used as a login. */
type Purpose = 'storage-read' | 'storage-write';

const signLink = (
  context: StorageContext,
  purpose: Purpose,
  payload: JWTPayload,
  seconds: number,
) =>
  new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(context.tokens.derive(purpose));

/**
 * Verifies that the token of a signed URL is valid for the requested object.
 * @throws StorageError 400
 */
export async function openSigned(
  { tokens }: StorageContext,
  purpose: Purpose,
  { url, bucket, name }: Call,
): Promise<JWTPayload> {
  const key = tokens.derive(purpose);
  const token = url.searchParams.get('token') ?? '';
  const payload = await jwtVerify(token, key, { algorithms: ['HS256'] }).then(
    (verified) => verified.payload,
    (error: Error) => {
      throw new StorageError(400, 'InvalidJWT', error.message);
    },
  );
  if (payload.url === `${bucket}/${name}`) return payload;
  throw new StorageError(400, 'InvalidSignature', 'Invalid signature');
}

export async function signObject(storage: CallersStorage, { bucket, name, body }: Call) {
  const { expiresIn: seconds, transform: requested } = await body(signSchema);
  await findObject(storage, bucket, name, storage.queryAs('sign'));
  // The transformation is limited to those that the URL's creator may request.
  const transform = requested && allowedTransformation(requested, storage.claims);
  const path = `${bucket}/${name}`;
  const payload = { url: path, ...(transform ? { transform } : {}) };
  const token = await signLink(storage, 'storage-read', payload, seconds);
  const route = transform ? 'render/image' : 'object';
  return { signedURL: `/${route}/sign/${path}?token=${token}` };
}

/** Creates URLs for reading several objects. For an object that the caller may not read, the result contains an error. */
export async function signObjects(storage: CallersStorage, { bucket, body }: Call) {
  const { expiresIn: seconds, paths } = await body(signManySchema);
  const { rows } = await storage.queryAs('sign')<{ name: string }>(
    'select name from storage.objects where bucket_id = $1 and name = any($2)',
    [bucket, paths],
  );
  const readable = new Set(rows.map(({ name }) => name));
  return Promise.all(
    paths.map(async (path) => {
      if (!readable.has(path))
        return {
          error: 'Either the object does not exist or you do not have access to it',
          path,
          signedURL: null,
        };
      const url = `${bucket}/${path}`;
      const token = await signLink(storage, 'storage-read', { url }, seconds);
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` };
    }),
  );
}

/** Creates a URL for writing an object that the caller may write. The caller becomes the owner of the object. */
export async function signUpload(storage: CallersStorage, { bucket, name, upserts }: Call) {
  await findBucket(storage, bucket);
  await checkMayWrite(storage, { bucket, name: checkKey(name), upsert: upserts });
  const url = `${bucket}/${name}`;
  // The upload is checked again with the permissions of the URL's creator. For this, the token contains the creator's ID and
  // session, and whether the second factor was used.
  const { role, sub: owner = null, aal, session_id } = storage.claims;
  const payload = { url, role, owner, upsert: upserts, aal, session_id };
  const token = await signLink(storage, 'storage-write', payload, UPLOAD_SECONDS);
  return { url: `/object/upload/sign/${url}?token=${token}`, token };
}

const makerSchema = v.object({
  role: v.picklist(['anon', 'authenticated', 'service_role']),
  owner: v.nullable(v.string()),
  aal: v.exactOptional(v.picklist(['aal1', 'aal2'])),
  session_id: v.exactOptional(v.string()),
});

/**
 * Returns the claims of the creator, with which a signed URL writes.
 * @throws StorageError 403 if the creator's session has ended
 */
export async function makerOf({ database }: StorageContext, payload: JWTPayload): Promise<Claims> {
  const { owner, ...others } = v.parse(makerSchema, payload);
  const maker = { ...others, ...(owner !== null && { sub: owner }) };
  if (await isSessionRevoked(database, maker))
    throw unauthorized('The session of this link has ended');
  return maker;
}
