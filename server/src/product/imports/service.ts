// The import of parks in the browser (/desk/imports): receives a file, imports it as the command does, and responds with the
// report.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as v from 'valibot';
import type { HostParts } from '#/host/host-parts.ts';
import { bearerToken, json, type Service } from '#/host/lib/http.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { TokenError, type Claims } from '#/host/lib/tokens.ts';
import { StorageError } from '#/host/storage/errors.ts';
import { receiveUpload } from '#/host/storage/receive.ts';
import type { Settings } from '#/product/settings.ts';
import {
  IMPORT_STEPS,
  MAX_IMPORT_BYTES,
  type ImportRequest,
} from '../../../../shared/import-report.ts';

export const IMPORT_PATH = '/park-imports';

/** A field of the form; empty if the user left it empty. */
const optional = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(200),
    v.transform((text) => text || undefined),
  ),
);
const requestSchema = v.object({
  step: v.picklist(IMPORT_STEPS),
  file: v.pipe(v.string(), v.maxLength(200)),
  source: optional,
  licence: optional,
  city: optional,
  encoding: optional,
  crs: optional,
  mapping: v.optional(v.string()),
  skipUnknown: v.boolean(),
  pending: v.boolean(),
  same: v.record(v.string(), v.number()),
  new: v.array(v.string()),
}) satisfies v.GenericSchema<ImportRequest>;

interface ImportParts extends Pick<HostParts, 'database' | 'tokens'> {
  settings: Pick<Settings, 'ADDRESS_COUNTRY' | 'START_PLACE'>;
  /** The folder for uploads that are being received. */
  incoming: string;
}

const notFound = () => json({ message: 'Not found' }, 404);

/** Creates the service for administrators. Other callers get 404. */
export function createImportService({
  database,
  tokens,
  settings,
  incoming,
}: ImportParts): Service {
  async function administrator(request: Request): Promise<Claims | null> {
    try {
      const claims = await tokens.verify(bearerToken(request) ?? '');
      const { rows } = await database.asCaller(claims, (client) =>
        client.query<{ role: string | null }>('select public.my_role() as role'),
      );
      return rows[0]?.role === 'administrator' ? claims : null;
    } catch (error) {
      if (error instanceof TokenError || (error as { code?: unknown }).code === '42501')
        return null;
      throw error;
    }
  }

  async function importFile(name: string, importRequest: ImportRequest, claims: Claims) {
    // Loaded when first needed, because they contain the borders of all countries.
    const [{ importParks }, { parseMapping }] = await Promise.all([
      import('#/product/imports/import-parks.ts'),
      import('#/product/imports/mapping-file.ts'),
    ]);
    const client = await database.pool.connect();
    try {
      return await importParks(client, () => createReadStream(name), {
        file: importRequest.file,
        defaults: {
          source: importRequest.source,
          licence: importRequest.licence,
          city: importRequest.city,
        },
        mapping: parseMapping(importRequest.mapping ?? '{}'),
        skipUnknown: importRequest.skipUnknown,
        encoding: importRequest.encoding,
        crs: importRequest.crs,
        decisions: {
          same: new Map(Object.entries(importRequest.same)),
          new: importRequest.new,
        },
        status: importRequest.pending ? 'pending' : 'approved',
        site: {
          countries: settings.ADDRESS_COUNTRY.split(','),
          start: settings.START_PLACE ?? null,
        },
        async confirm(report) {
          if (
            importRequest.step === 'preview' ||
            report.new + report.changed + report.unchanged === 0
          )
            return false;
          if (report.odd.length > 0 && importRequest.step !== 'import anyway') return false;
          await database.asCaller(claims, (caller) =>
            caller.query('select public.desk_allow_import($1)', [importRequest.file]),
          );
          return true;
        },
        note: () => undefined,
      });
    } finally {
      // The connection is closed, because the import changed its settings and created temporary functions.
      client.release(true);
    }
  }

  return async function imports(request) {
    if (request.method !== 'POST')
      return json({ message: 'Method not allowed' }, 405, { allow: 'POST' });
    const claims = await administrator(request);
    if (claims === null) return notFound();
    let received: Awaited<ReturnType<typeof receiveUpload>> | null = null;
    try {
      received = await receiveUpload(request, incoming, MAX_IMPORT_BYTES);
      const parsed = v.safeParse(requestSchema, received.userMetadata);
      if (!parsed.success) return json({ message: parsed.issues[0].message }, 400);
      return json(await importFile(received.file, parsed.output, claims));
    } catch (error) {
      if (error instanceof StartError) return json({ message: error.message }, 422);
      if (error instanceof StorageError) return json({ message: error.message }, error.status);
      throw error;
    } finally {
      if (received) await rm(received.file, { force: true });
    }
  };
}
