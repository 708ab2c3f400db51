// GET /calendar/{secret}.ics: a user's meetings for calendar programs, which cannot send a token.
import { createHash } from 'node:crypto';
import { compressed } from '#/host/lib/compress.ts';
import type { Database } from '#/host/db/database.ts';
import { VISITOR } from '#/host/limits/caller-quotas.ts';
import { isFresh } from '#/host/lib/http-cache.ts';
import { json, type Service } from '#/host/lib/http.ts';
import { writeCalendar, type Calendar } from '#/product/calendar/calendar-file.ts';
import { entityTag } from '#/product/site/app-files.ts';

/** Path prefix of the files. The access log contains only this prefix, because the rest is secret. */
export const CALENDAR_PATH = '/calendar';

/**
 * Creates the service. Unknown and revoked secrets get the same response.
 * @param siteOrigin the origin of the links
 */
export const createCalendarService = ({
  database,
  siteOrigin,
}: {
  database: Pick<Database, 'pool' | 'quotas'>;
  siteOrigin: string;
}): Service =>
  async function calendar(request, { ip, url: { pathname } }) {
    const secret = /^\/([0-9a-f]{64})\.ics$/.exec(pathname.slice(CALENDAR_PATH.length))?.[1];
    if (secret === undefined) return json({ message: 'Not found' }, 404);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return json({ message: 'Method not allowed' }, 405, { allow: 'GET, HEAD' });
    // Only a hash of the secret is sent to the database, because the database may log failed statements.
    const hash = createHash('sha256').update(secret).digest();
    const query = () =>
      database.pool.query<{ found: Calendar | null }>('select public.calendar_of($1) as found', [
        hash,
      ]);
    const { rows } = await database.quotas.run(VISITOR, query, ip);
    const found = rows[0]?.found;
    if (!found) return json({ message: 'Not found' }, 404, { 'cache-control': 'no-store' });
    const file = writeCalendar(found, siteOrigin);
    const tag = entityTag(file);
    const headers = new Headers({
      'content-type': 'text/calendar; charset=utf-8',
      'content-language': found.language,
      'cache-control': 'private, no-cache',
      etag: tag,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    if (isFresh(request, tag)) return new Response(null, { status: 304, headers });
    return compressed(
      request,
      new Response(request.method === 'HEAD' ? null : file, { status: 200, headers }),
    );
  };
