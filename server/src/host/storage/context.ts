import path from 'node:path';
import type pg from 'pg';
import type * as v from 'valibot';
import type { Database } from '#/host/db/database.ts';
import type { HostParts } from '#/host/host-parts.ts';
import {
  bearerToken,
  BodyTooLargeError,
  InvalidJsonError,
  readJson as readJsonBody,
} from '#/host/lib/http.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { TokenError, type Claims, type Tokens } from '#/host/lib/tokens.ts';
import { ipSubject, isLoopback } from '#/host/lib/ip-addresses.ts';
import { isUuid } from '#/host/lib/uuid.ts';
import type { BlobStore } from '#/host/storage/blob-store.ts';
import { invalidRequest, StorageError, tooLarge, unauthorized } from '#/host/storage/errors.ts';
import { Images } from '#/host/storage/images.ts';
import { KeyedCounter } from '#/host/limits/keyed-counter.ts';
import { createRenditionCache, type RenditionCache } from '#/host/storage/rendition-cache.ts';
import { openBlobStore } from '#/host/storage/open-stores.ts';

export interface StorageContext {
  database: Database;
  tokens: Tokens;
  blobs: BlobStore;
  renditions: RenditionCache;
  images: Images;
  /** Limits the concurrent uploads per user, each of which occupies a file on disk. */
  uploads: KeyedCounter;
  /** The folder for uploads that are being received. */
  incoming: string;
  /** Folders that may contain unused files after a crash. */
  temporary: string[];
}

/** The storage as one caller may use it. Its queries count towards the same quota as the caller's REST requests. */
export interface CallersStorage extends StorageContext {
  claims: Claims;
  /** The user or IP whose uploads and renditions are limited; null if neither is known. */
  who: string | null;
  /** Runs one statement with the caller's policies. */
  query<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[],
  ): Promise<pg.QueryResult<Row>>;
  /** Runs one statement without policies. */
  queryUnchecked: CallersStorage['query'];
  /** Like `query`. As on Supabase, policies can detect the operation in the setting `storage.operation`. */
  queryAs(operation: 'sign' | 'copy'): CallersStorage['query'];
  /** Runs several statements in a transaction with the caller's policies. */
  transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
}

const MAX_JSON = 1024 * 1024;
const UPLOADS_AT_ONCE = 20;

export async function createStorageContext(
  parts: Pick<HostParts, 'settings' | 'database' | 'tokens'>,
): Promise<StorageContext> {
  const folder = path.resolve(ROOT, parts.settings.DATA_DIR, 'storage');
  const incoming = path.join(folder, 'incoming');
  const blobs = await openBlobStore(parts.settings);
  return {
    database: parts.database,
    tokens: parts.tokens,
    blobs,
    renditions: createRenditionCache(path.join(folder, 'renditions')),
    images: new Images(),
    uploads: new KeyedCounter(UPLOADS_AT_ONCE),
    incoming,
    temporary: [incoming, ...blobs.temporary],
  };
}

/** Returns the user ID or the IP under which limits count the caller; null if neither is known. */
function quotaSubject({ sub }: Claims, ip: string): string | null {
  if (typeof sub === 'string') return sub;
  // Loopback addresses are not counted: they may belong to a proxy that is not configured, so all users would share one limit.
  return isLoopback(ip) ? null : ipSubject(ip);
}

/** @param ip the client's IP, which is used if the caller is anonymous */
export function storageFor(context: StorageContext, claims: Claims, ip: string): CallersStorage {
  const { database } = context;
  const transaction: CallersStorage['transaction'] = (work) =>
    database.quotas.run(claims, () => database.asCaller(claims, work), ip);
  return {
    ...context,
    claims,
    who: quotaSubject(claims, ip),
    transaction,
    query: (text, values) => transaction((client) => client.query(text, values)),
    queryAs: (operation) => (text, values) =>
      transaction(async (client) => {
        await client.query(`set local storage.operation = 'storage.object.${operation}'`);
        return client.query(text, values);
      }),
    queryUnchecked: (text, values) =>
      database.quotas.run(claims, () => database.pool.query(text, values), ip),
  };
}

/** Returns the claims of the request's bearer token. @throws StorageError */
export async function callerOf({ tokens }: StorageContext, request: Request): Promise<Claims> {
  const header = request.headers.get('authorization');
  if (!header)
    throw new StorageError(400, 'Error', "headers must have required property 'authorization'");
  try {
    return await tokens.verify(bearerToken(request) ?? header);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw unauthorized(
      error.reason === 'expired' ? '"exp" claim timestamp check failed' : 'Invalid Compact JWS',
    );
  }
}

/** Returns the values for the two owner columns of a row: the ID as text, and as a UUID if it is one. */
export function ownerOf(sub: unknown): { owner: string | null; ownerId: string | null } {
  const ownerId = typeof sub === 'string' && sub !== '' ? sub : null;
  return { ownerId, owner: ownerId !== null && isUuid(ownerId) ? ownerId : null };
}

export interface Call {
  request: Request;
  url: URL;
  bucket: string;
  name: string;
  /** True if the upload may replace an existing object with this name. */
  upserts: boolean;
  /**
   * Reads and validates a small JSON body.
   * @throws StorageError 400, 413
   */
  body<const S extends v.GenericSchema>(schema: S): Promise<v.InferOutput<S>>;
  /**
   * Returns the storage for the request's caller.
   * @throws StorageError if the token is missing or invalid
   */
  asCaller(): Promise<CallersStorage>;
  /** Returns the storage for a caller with these claims. */
  as(claims: Claims): CallersStorage;
}

/** Reads and validates a small JSON body. @throws StorageError 400, 413 */
export async function readJson<const S extends v.GenericSchema>(
  request: Request,
  schema: S,
): Promise<v.InferOutput<S>> {
  try {
    return await readJsonBody(request, MAX_JSON, schema);
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw tooLarge();
    if (!(error instanceof InvalidJsonError) || error.path === null)
      throw invalidRequest('The body is not valid JSON');
    throw new StorageError(400, 'Error', `body/${error.path} ${error.message}`);
  }
}
