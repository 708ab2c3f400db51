// The host's messages in each language: link previews, pages outside the app, calendars, and auth mails.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';
import type englishMails from '../../../languages/en/auth-mails.json';
import type english from '../../../languages/en/site.json';
import { LANGUAGE_CODES, type Language } from '../../../shared/languages.ts';

export type SiteMessages = typeof english;

function messagesOf<Messages>(file: string): (language: Language) => Messages {
  const messages = Object.fromEntries(
    LANGUAGE_CODES.map((code) => [
      code,
      JSON.parse(readFileSync(path.join(ROOT, `languages/${code}/${file}`), 'utf8')),
    ]),
  ) as Record<Language, Messages>;
  return (language) => messages[language];
}

export const siteMessages = messagesOf<SiteMessages>('site.json');
export const authMailMessages = messagesOf<typeof englishMails>('auth-mails.json');
