// The product's properties that the host needs, such as name and texts, and the version.
import type { Product } from '#/host/host-parts.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { readVersion } from '#/product/version.ts';
import { authMail, linkPage } from '#/product/mail-templates.ts';
import { authMailMessages } from '#/product/site-messages.ts';
import { LANGUAGE_CODES, LANGUAGES } from '../../../shared/languages.ts';

let version: string | undefined;

/** Returns the version (see readVersion). The result is cached, because it may run git. */
export const currentVersion = (): string => (version ??= readVersion(ROOT));

const known = (language: string) =>
  LANGUAGE_CODES.find((one) => one === language) ?? LANGUAGE_CODES[0];

export const PACKPARK: Product = {
  name: 'Packpark',
  appLinks: ['packpark://auth-callback'],
  languages: LANGUAGE_CODES,
  mail: (kind, language) => authMail(kind, known(language)),
  linkPage: (kind, language) => linkPage(kind, known(language)),
  accountChange: (language) => authMailMessages(known(language)).accountChange,
  directionOf: (language) => LANGUAGES[known(language)].direction,
};
