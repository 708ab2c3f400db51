// The page for browsers while the host starts. It reloads until the app is available.
import { escapeHtml, page } from '#/host/lib/html.ts';
import { siteMessages } from '#/product/site-messages.ts';
import { languageOf } from '#/product/site/previews.ts';
import { LANGUAGES } from '../../../../shared/languages.ts';

const RELOAD_SECONDS = '2';

export function startingPage(request: Request): Response {
  const language = languageOf(request);
  const response = page({
    language,
    direction: LANGUAGES[language].direction,
    title: 'Packpark',
    style: '',
    body: `<p role="status">${escapeHtml(siteMessages(language).starting)}</p>`,
    status: 503,
  });
  response.headers.set('refresh', RELOAD_SECONDS);
  response.headers.set('retry-after', RELOAD_SECONDS);
  return response;
}
