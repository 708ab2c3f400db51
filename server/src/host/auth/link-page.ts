// The page that a one-time link opens. Mail scanners and previews open links, so GET changes nothing: the page has one button, and
// only its POST uses the token.
import { escapeHtml, page } from '#/host/lib/html.ts';
import { negotiateLanguage } from '#/host/lib/languages.ts';
import type { Auth, Call } from '#/host/auth/context.ts';

const STYLE = `body{max-width:30rem}
button{min-height:48px;padding:0 1.25rem;border:0;border-radius:24px;font:inherit;font-weight:700;background:#1d7a4f;color:#fff}`;

export const linkLanguage = (auth: Auth, call: Call): string =>
  negotiateLanguage(auth.product.languages, call.request);

interface LinkPage {
  title: string;
  /** The label of the button, which posts to the URL of the page, including the token. */
  button?: string;
  text?: string;
  status?: number;
  /**
   * A URL to which the POST may redirect. The Content-Security-Policy must allow it, because browsers check each redirect of a
   * form.
   */
  back?: string;
}

export function linkPage(
  auth: Auth,
  call: Call,
  { title, button, text, status = 200, back }: LinkPage,
): Response {
  const language = linkLanguage(auth, call);
  const target = back === undefined ? null : new URL(back);
  const origin = target && /^https?:$/.test(target.protocol) ? target.origin : target?.protocol;
  return page({
    language,
    direction: auth.product.directionOf(language),
    title: escapeHtml(title),
    style: STYLE,
    status,
    forms: origin === undefined ? "'self'" : `'self' ${origin}`,
    body:
      button === undefined
        ? `<p>${escapeHtml(text ?? '')}</p>`
        : `<form method="post"><button>${escapeHtml(button)}</button></form>`,
  });
}
