// POST publish-parks {force?}: writes parks-{en,he,ar}.json to the bucket parks if parks have changed since the last run.
import * as v from 'valibot';
import { requireService, serviceClient, unwrap, type ServiceClient } from '../_shared/clients.ts';
import { LANGUAGE_CODES } from '../../../shared/languages.ts';
import { json, serve } from '../_shared/serve.ts';

const bodySchema = v.object({ force: v.optional(v.boolean()) });
const fileOf = (language: string): string => `parks-${language}.json`;

async function allFilesExist(client: ServiceClient): Promise<boolean> {
  const { data } = await client.storage.from('parks').list('', { search: 'parks-', limit: 10 });
  const names = new Set(data?.map((object) => object.name));
  return LANGUAGE_CODES.every((language) => names.has(fileOf(language)));
}

serve('POST', async (request) => {
  requireService(request);
  const body = v.safeParse(bodySchema, await request.json().catch(() => ({})));
  const force = body.success && body.output.force === true;
  const client = serviceClient();
  // The changes are read before the parks, so that changes in between are published by the next run.
  const changes = unwrap(await client.rpc('stale_park_list')) as string[] | null;
  if (!force && changes === null && (await allFilesExist(client)))
    return json({ published: false });
  for (const language of LANGUAGE_CODES) {
    const parks: unknown = unwrap(
      await client.rpc('parks_for_publishing', { p_language: language }),
    );
    const body = new Blob([JSON.stringify(parks)], { type: 'application/json' });
    unwrap(
      await client.storage.from('parks').upload(fileOf(language), body, {
        upsert: true,
        contentType: 'application/json',
        // An empty list is cached for only one second, because clients poll it until the first import.
        cacheControl: Array.isArray(parks) && parks.length === 0 ? '1' : '60',
      }),
    );
  }
  if (changes !== null) unwrap(await client.rpc('park_list_published', { p_changes: changes }));
  return json({ published: true });
});
