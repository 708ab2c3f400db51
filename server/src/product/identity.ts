// What the host must know of the product that it serves.
import type { Product } from '#/host/lib/host-parts.ts';
import { LANGUAGES } from '#/product/languages.ts';

export const PACKPARK: Product = {
  name: 'Packpark',
  appLinks: ['packpark://auth-callback'],
  languages: LANGUAGES,
};
