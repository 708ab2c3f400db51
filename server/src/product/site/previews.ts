// Link previews of parks: name, town and photo in the reader's language.
import type { Database } from '#/host/db/database.ts';
import { escapeHtml } from '#/host/lib/html.ts';
import { negotiateLanguage } from '#/host/lib/languages.ts';
import { siteMessages } from '#/product/site-messages.ts';
import { LANGUAGE_CODES, type Language } from '../../../../shared/languages.ts';

const PARK_PATH = /^\/(?:share\/)?parks\/(\d{1,18})(?:\/[a-z]*)?\/?$/;

export const parkOfPath = (pathname: string): string | null =>
  PARK_PATH.exec(pathname)?.[1] ?? null;

/** Returns the language of a request: `?lang`, otherwise the first supported one in Accept-Language, otherwise English. */
export const languageOf = (request: Request): Language =>
  negotiateLanguage(LANGUAGE_CODES, request, new URL(request.url).searchParams.get('lang') ?? '');

/**
 * Returns the meta tags for the page of a park, or of the park that it was merged into; null if no approved park is found.
 * @param origin the origin of this request
 */
export async function previewTags(
  database: Database,
  park: string,
  language: Language,
  origin: string,
): Promise<{ title: string; tags: string } | null> {
  const { rows } = await database.pool.query<{
    id: string;
    name: string;
    city: string;
    primary_photo: string | null;
  }>(
    `select p.id, t.name, t.city, p.primary_photo
     from public.parks p cross join lateral private.named_park(p.id, $2) t
     where p.id = private.present_park($1) and p.status = 'approved'`,
    [park, language],
  );
  const [found] = rows;
  if (!found) return null;
  const { preview } = siteMessages(language);
  const description = preview.description.replace('{city}', () => found.city);
  const properties = {
    'og:type': 'place',
    'og:site_name': 'Packpark',
    'og:locale': preview.locale,
    'og:title': found.name,
    'og:description': description,
    'og:url': `${origin}/parks/${found.id}/`,
    ...(found.primary_photo
      ? { 'og:image': `${origin}/storage/v1/object/public/parks/${found.primary_photo}` }
      : {}),
  };
  const tags = Object.entries(properties).map(
    ([name, value]) => `<meta property="${name}" content="${escapeHtml(value)}" />`,
  );
  tags.push(
    `<meta name="twitter:card" content="${found.primary_photo ? 'summary_large_image' : 'summary'}" />`,
    `<meta name="description" content="${escapeHtml(description)}" />`,
    `<link rel="canonical" href="${escapeHtml(properties['og:url'])}" />`,
  );
  return { title: escapeHtml(`${found.name} · Packpark`), tags: tags.join('') };
}
