// Conditional requests and content codings.

/**
 * Returns true if the client already has this version.
 * @param etag a strong ETag, in quotes
 * @param modified an HTTP date, for clients that send If-Modified-Since
 */
export function isFresh(request: Request, etag: string, modified?: string): boolean {
  const known = request.headers.get('if-none-match');
  if (known !== null)
    return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  const since = Date.parse(request.headers.get('if-modified-since') ?? '');
  return modified !== undefined && !Number.isNaN(since) && Date.parse(modified) <= since;
}

export const accepts = (request: Request, coding: 'br' | 'gzip'): boolean =>
  (request.headers.get('accept-encoding') ?? '')
    .split(',')
    .some((entry) => new RegExp(`^\\s*${coding}\\s*(;\\s*q=(?!0(\\.0*)?\\s*$).*)?$`).test(entry));

export const codingFor = (request: Request): 'br' | 'gzip' | undefined =>
  (['br', 'gzip'] as const).find((coding) => accepts(request, coding));
