// What the host must know of the product that it serves, and which version of it this is.
import accountChanges from './account-changes.json' with { type: 'json' };
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Product } from '#/host/host-parts.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { authMail } from '#/product/auth-mails.ts';
import { DIRECTION, LANGUAGES } from '#/product/languages.ts';

export const VERSION = (
  JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }
).version;

const known = (language: string) => LANGUAGES.find((one) => one === language) ?? LANGUAGES[0];

export const PACKPARK: Product = {
  name: 'Packpark',
  appLinks: ['packpark://auth-callback'],
  languages: LANGUAGES,
  mail: (kind, language) => authMail(kind, known(language)),
  accountChange: (language) => ({
    ...accountChanges[known(language)],
    direction: DIRECTION[known(language)],
  }),
};
