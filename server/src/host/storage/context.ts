// What all of storage works with: the database, the bytes, and the caller.
import path from 'node:path';
import type * as v from 'valibot';
import type { Database } from '#/host/db/database.ts';
import type { HostParts } from '#/host/host-parts.ts';
import { VISITOR } from '#/host/limits/connection-shares.ts';
import {
  bearerToken,
  BodyTooLargeError,
  InvalidJsonError,
  readJson as readJsonBody,
} from '#/host/lib/http.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { TokenError, type Claims, type Tokens } from '#/host/lib/tokens.ts';
import { isUuid } from '#/host/lib/uuid.ts';
import type { ByteStore } from '#/host/storage/byte-store.ts';
import { invalidRequest, StorageError, tooLarge, unauthorized } from '#/host/storage/errors.ts';
import { createDerivedCache, type DerivedCache } from '#/host/storage/derived.ts';
import { openByteStore } from '#/host/storage/open-stores.ts';

export interface StorageContext {
  database: Database;
  /** Runs a question to the database that no policy decides, in the share of connections of the caller; null for a visitor. */
  inShareOf<T>(claims: Claims | null, work: () => Promise<T>): Promise<T>;
  tokens: Tokens;
  bytes: ByteStore;
  derived: DerivedCache;
  /** The folder of uploads that are being received. */
  incoming: string;
  /** Folders in which a crash may leave files that nobody needs. */
  temporary: string[];
}

/** Above every bucket's own limit. */
export const GLOBAL_SIZE_LIMIT = 50 * 1024 * 1024;
const MAX_JSON = 1024 * 1024;

/** Opens the byte store and the folders that the settings name. */
export async function createStorageContext(
  parts: Pick<HostParts, 'settings' | 'database' | 'tokens'>,
): Promise<StorageContext> {
  const folder = path.resolve(ROOT, parts.settings.DATA_DIR, 'storage');
  const incoming = path.join(folder, 'incoming');
  const bytes = await openByteStore(parts.settings);
  return {
    database: parts.database,
    inShareOf: (_claims, work) => work(),
    tokens: parts.tokens,
    bytes,
    derived: createDerivedCache(path.join(folder, 'derived')),
    incoming,
    temporary: [incoming, ...bytes.temporary],
  };
}

/** For one request: what its caller asks of the database counts as what they ask of REST does. @param address the client's */
export function inCallersShare(context: StorageContext, address: string): StorageContext {
  const { database } = context;
  const inShareOf: StorageContext['inShareOf'] = (claims, work) =>
    database.shares.run(claims ?? VISITOR, work, address);
  return {
    ...context,
    inShareOf,
    database: {
      ...database,
      asCaller: (claims, work) => inShareOf(claims, () => database.asCaller(claims, work)),
    },
  };
}

/** The claims of the request's bearer token. @throws StorageError */
export async function callerOf(context: StorageContext, request: Request): Promise<Claims> {
  const header = request.headers.get('authorization');
  if (!header)
    throw new StorageError(400, 'Error', "headers must have required property 'authorization'");
  try {
    return await context.tokens.verify(bearerToken(request) ?? header);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw unauthorized(
      error.reason === 'expired' ? '"exp" claim timestamp check failed' : 'Invalid Compact JWS',
    );
  }
}

/** A caller's two owner columns: the id as text, and as uuid where it is one. */
export function ownerOf(sub: unknown): { owner: string | null; ownerId: string | null } {
  const ownerId = typeof sub === 'string' && sub !== '' ? sub : null;
  return { ownerId, owner: ownerId !== null && isUuid(ownerId) ? ownerId : null };
}

/** Reads a small JSON body and checks its shape. @throws StorageError 400, 413 */
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
