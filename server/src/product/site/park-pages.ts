// Two pages about a park outside the app: a card that other sites embed, with the dogs that are there now, and a poster for the
// park's gate.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { renderSVG } from 'uqr';
import { compressed } from '#/host/lib/compress.ts';
import { escapeHtml } from '#/host/lib/html.ts';
import { isFresh } from '#/host/lib/http-cache.ts';
import { json, type Service } from '#/host/lib/http.ts';
import type { Database } from '#/host/db/database.ts';
import { VISITOR } from '#/host/limits/caller-quotas.ts';
import { siteMessages } from '#/product/site-messages.ts';
import { LANGUAGES, type Language } from '../../../../shared/languages.ts';
import { entityTag } from '#/product/site/app-files.ts';
import { languageOf } from '#/product/site/previews.ts';

export const EMBED_PATH = '/embed';
export const POSTER_PATH = '/poster';

/** Seconds for which a page is cached. The browser that shows the card reloads it every CARD_REFRESH_SECONDS. */
const CARD_SECONDS = 15;
const CARD_REFRESH_SECONDS = 60;
const POSTER_SECONDS = 3600;
const MAX_CACHED = 1000;

/** A row of public.park_now(), which is the content of a card and a poster. */
interface ParkNow {
  park_id: string;
  name: string;
  city: string;
  dogs_now: number;
}

/** Texts for the number of dogs, by plural form; # is replaced by the number. */
type Dogs = Partial<Record<Intl.LDMLPluralRule | 'none', string>> & { other: string };

const messagesFor = (language: Language) => siteMessages(language).parkPage;

const CARD_STYLE = `:root{color-scheme:light dark;font:16px/1.4 system-ui,sans-serif}
body{margin:0;padding:12px 16px;background:Canvas;color:CanvasText;overflow-wrap:anywhere}
p{margin:0}.dogs{font-size:1.5rem;font-weight:700}.name{font-weight:600}a{color:LinkText;display:inline-block;padding:10px 0}`;

const POSTER_STYLE = `@page{size:A4 portrait;margin:0}
:root{color-scheme:light;font-family:system-ui,sans-serif;color:#000;background:#fff}
body{margin:0}main{box-sizing:border-box;width:210mm;height:296mm;margin:0 auto;padding:18mm;display:flex;flex-direction:column;align-items:center;justify-content:space-between;text-align:center;overflow:hidden;overflow-wrap:anywhere}
h1{margin:0;font-size:17mm;line-height:1.1}p{margin:0;font-size:7mm;line-height:1.35}.park{font-size:10mm;font-weight:700}h1,p{text-wrap:balance}
svg{width:105mm;height:105mm}.address{font-size:5mm}
button{position:fixed;inset-block-start:12px;inset-inline-end:12px;padding:12px 20px;font:600 16px system-ui,sans-serif;color:#fff;background:#1f5f3f;border:0;border-radius:999px}
@media screen and (max-width:210mm){main{width:auto;height:auto;min-height:100vh;padding:72px 6vw 24px;gap:24px}h1{font-size:9vw}p{font-size:5vw}.park{font-size:6vw}svg{width:70vw;height:70vw}.address{font-size:4vw}}
@media print{button{display:none}}`;

/** The poster's only script. If it is blocked, users print from the browser's menu. */
const POSTER_SCRIPT = `document.querySelector('button').addEventListener('click',()=>print())`;

interface Page {
  status: number;
  html: string;
  tag: string;
}

function pageOf(language: Language, style: string, title: string, body: string, head = ''): Page {
  const html = `<!doctype html><html lang="${language}" dir="${LANGUAGES[language].direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">${head}<title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>`;
  return { status: 200, html, tag: entityTag(html) };
}

function missing(language: Language, style: string): Page {
  const { missing: text } = messagesFor(language);
  return { ...pageOf(language, style, text, `<main><p>${text}</p></main>`), status: 404 };
}

function dogsNow(language: Language, count: number): string {
  const dogs: Dogs = messagesFor(language).dogs;
  const form = count === 0 ? 'none' : new Intl.PluralRules(language).select(count);
  return (dogs[form] ?? dogs.other).replace('#', String(count));
}

function card(park: ParkNow, language: Language, origin: string): Page {
  const url = escapeHtml(`${origin}/parks/${park.park_id}/`);
  return pageOf(
    language,
    CARD_STYLE,
    park.name,
    `<main><p class="dogs">${dogsNow(language, park.dogs_now)}</p><p class="name">${escapeHtml(park.name)}</p><p>${escapeHtml(park.city)}</p><a href="${url}" target="_blank" rel="noopener">${messagesFor(language).open}</a></main>`,
    `<meta http-equiv="refresh" content="${CARD_REFRESH_SECONDS}">`,
  );
}

function poster(park: ParkNow, language: Language, origin: string): Page {
  const messages = messagesFor(language);
  const url = `${origin}/parks/${park.park_id}/`;
  const code = renderSVG(url, { ecc: 'Q', border: 4 });
  return pageOf(
    language,
    POSTER_STYLE,
    `${park.name} · Packpark`,
    `<main><h1>${messages.headline}</h1><p class="park">${escapeHtml(park.name)}</p>${code}<p>${messages.scan}</p><p>${messages.promise}</p><p class="address" dir="ltr">${escapeHtml(url)}</p></main><button type="button">${messages.print}</button><script>${POSTER_SCRIPT}</script>`,
  );
}

function policy(style: string, ancestors: string, script?: string): string {
  const source = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const scripts = script === undefined ? '' : ` script-src ${source(script)};`;
  return `default-src 'none'; style-src ${source(style)};${scripts} base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`;
}

const KINDS = {
  [EMBED_PATH]: {
    style: CARD_STYLE,
    write: card,
    seconds: CARD_SECONDS,
    headers: {
      // Other sites may embed only the card, because it has nothing that clickjacking could abuse.
      'content-security-policy': policy(CARD_STYLE, '*'),
      'cross-origin-resource-policy': 'cross-origin',
    },
  },
  [POSTER_PATH]: {
    style: POSTER_STYLE,
    write: poster,
    seconds: POSTER_SECONDS,
    headers: {
      'content-security-policy': policy(POSTER_STYLE, "'none'", POSTER_SCRIPT),
      'x-frame-options': 'DENY',
    },
  },
};

/**
 * Creates the service for /embed/park/{id} or /poster/park/{id}, in the language of `?lang` or of the browser.
 * @param siteOrigin the origin of the links
 */
export function createParkPages(
  kind: keyof typeof KINDS,
  { database, siteOrigin }: { database: Pick<Database, 'pool' | 'quotas'>; siteOrigin: string },
): Service {
  const { style, write, seconds, headers: own } = KINDS[kind];
  /** Seconds for which a page is cached. A 404 is cached only briefly, because a missing park may be approved at any time. */
  const secondsOf = ({ status }: Page) => (status === 404 ? CARD_SECONDS : seconds);

  async function make(park: string, language: Language): Promise<Page> {
    const { rows } = await database.pool.query<ParkNow>(`select * from public.park_now($1, $2)`, [
      park,
      language,
    ]);
    return rows[0] ? write(rows[0], language, siteOrigin) : missing(language, style);
  }
  // Concurrent requests share one database query.
  const pages = new LRUCache<string, Page, { park: string; language: Language }>({
    max: MAX_CACHED,
    async fetchMethod(_key, _stale, { options, context: { park, language } }) {
      const page = await make(park, language);
      options.ttl = secondsOf(page) * 1000;
      return page;
    },
  });

  return async function parkPage(request, { ip, url: { pathname } }) {
    const park = /^\/park\/(\d{1,18})\/?$/.exec(pathname.slice(kind.length))?.[1];
    if (park === undefined) return json({ message: 'Not found' }, 404);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return json({ message: 'Method not allowed' }, 405, { allow: 'GET, HEAD' });
    const language = languageOf(request);
    const key = `${park} ${language}`;
    // A caller for whom another caller's query is already running waits only for that query, and needs no permit.
    const fetch = () => pages.forceFetch(key, { context: { park, language } });
    const page = pages.get(key) ?? (await database.quotas.run(VISITOR, fetch, ip));
    const headers = new Headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': `public, max-age=${secondsOf(page)}`,
      'content-language': language,
      etag: page.tag,
      vary: 'Accept-Language',
      'referrer-policy': 'no-referrer',
      ...own,
    });
    if (isFresh(request, page.tag)) return new Response(null, { status: 304, headers });
    return compressed(
      request,
      new Response(request.method === 'HEAD' ? null : page.html, { status: page.status, headers }),
    );
  };
}
