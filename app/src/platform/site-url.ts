// The address of our own pages, for links that come back to us by mail, from a provider, or from whom they are given to.
import { getConfig } from '#/platform/config.ts';

/** @param path begins with a slash */
export const siteUrl = (path: string): string =>
  new URL(path, getConfig().siteUrl || location.origin).href;
