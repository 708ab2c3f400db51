// The host's messages in each language: auth mails, link previews, pages outside the app, and calendars.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';
import type english from '../../../languages/en/site.json';
import { LANGUAGE_CODES, type Language } from '../../../shared/languages.ts';

export type SiteMessages = typeof english;

const messages = Object.fromEntries(
  LANGUAGE_CODES.map((code) => [
    code,
    JSON.parse(readFileSync(path.join(ROOT, `languages/${code}/site.json`), 'utf8')),
  ]),
) as Record<Language, SiteMessages>;

export const siteMessages = (language: Language): SiteMessages => messages[language];
