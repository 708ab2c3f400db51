// The storage service (/storage/v1) with the protocol of storage-api: creates the service and handles its errors.
import { isDatabaseDown } from '#/host/db/database.ts';
import type { HostParts } from '#/host/host-parts.ts';
import { json, type Service } from '#/host/lib/http.ts';
import { createStorageContext, type StorageContext } from '#/host/storage/context.ts';
import { errorResponse, StorageError } from '#/host/storage/errors.ts';
import { route } from '#/host/storage/routes.ts';
import { startSweepingOwn, SWEEP_EVERY, sweepBytes } from '#/host/storage/sweep.ts';
import { MAX_OBJECT_BYTES } from '#/host/storage/size-limits.ts';

/** After a rejected upload, at most this many bytes are read before the connection is closed. */
const MAX_DRAIN_BYTES = 2 * MAX_OBJECT_BYTES;

/**
 * Reads the rest of a rejected upload. If the connection closed while the client sends, the client would see a network error
 * instead of the response.
 * @returns false if the body was not read to its end
 */
async function drainBody(request: Request): Promise<boolean> {
  const announced = Number(request.headers.get('content-length') ?? Infinity);
  if (!request.body || request.bodyUsed || announced > MAX_DRAIN_BYTES) return false;
  return request.body.pipeTo(new WritableStream()).then(
    () => true,
    () => false,
  );
}

/** Creates the storage service and starts the sweeper of unused bytes. */
export async function createStorageService(
  parts: Pick<HostParts, 'settings' | 'database' | 'tokens' | 'jobs' | 'log'>,
): Promise<{ handle: Service; context: StorageContext; close(): Promise<void> }> {
  const context = await createStorageContext(parts);
  const stopSweeping = startSweepingOwn(context, parts.log);
  await parts.jobs.run('sweep-storage', { every: SWEEP_EVERY, run: () => sweepBytes(context) });

  return {
    context,
    async close() {
      await stopSweeping();
      await context.renditions.settled();
    },
    async handle(request, requestContext) {
      const { log } = requestContext;
      try {
        return await route(context, request, requestContext);
      } catch (error) {
        const shown = errorResponse(error);
        // The connection of a rejected upload can be reused only if the body was read to its end.
        const upload = request.body && !/json/.test(request.headers.get('content-type') ?? '');
        if (shown && upload && !(await drainBody(request)))
          shown.headers.set('connection', 'close');
        if (shown && shown.status >= 500)
          log.error({ error: (error as Error).message }, 'storage: files cannot be stored or read');
        if (error instanceof StorageError && error.cause instanceof Error)
          log.warn({ error: error.cause.message }, 'storage: an image could not be processed');
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
