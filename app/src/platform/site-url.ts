// Absolute URLs of the site's pages, for links in emails, provider redirects and sharing.
import { getConfig } from '#/platform/config.ts';

/** @param path starts with a slash */
export const siteUrl = (path: string): string =>
  new URL(path, getConfig().siteUrl || location.origin).href;
