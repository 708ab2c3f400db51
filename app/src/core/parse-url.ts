/** Parses an absolute URL; null if it is invalid. */
export function parseUrl(href: string): URL | null {
  try {
    return new URL(href);
  } catch {
    return null;
  }
}
