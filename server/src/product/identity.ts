// What the host must know of the product that it serves, and which version of it this is.
import type { Product } from '#/host/host-parts.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { readVersion } from '#/product/version.ts';
import { authMail } from '#/product/mail-templates.ts';
import { siteMessages } from '#/product/site-messages.ts';
import { LANGUAGE_CODES, LANGUAGES } from '../../../shared/languages.ts';

let version: string | undefined;

/** See readVersion; in a checkout git is asked once. */
export const currentVersion = (): string => (version ??= readVersion(ROOT));

const known = (language: string) =>
  LANGUAGE_CODES.find((one) => one === language) ?? LANGUAGE_CODES[0];

export const PACKPARK: Product = {
  name: 'Packpark',
  appLinks: ['packpark://auth-callback'],
  languages: LANGUAGE_CODES,
  mail: (kind, language) => authMail(kind, known(language)),
  accountChange: (language) => ({
    ...siteMessages(known(language)).accountChange,
    direction: LANGUAGES[known(language)].direction,
  }),
};
