// The versions of Node and PostgreSQL that get security fixes, as of this release.

/** The day on which security fixes end, for each major version of Node (nodejs.org/en/about/previous-releases). */
const NODE_ENDS: Record<string, string> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/**
 * Returns the day on which security fixes for a version of Node ended; null if they have not ended.
 * @param version such as 20.19.2
 */
export function nodeEnded(version: string, today: Date): string | null {
  const end = NODE_ENDS[version.split('.')[0] ?? ''];
  return end !== undefined && today > new Date(end) ? end : null;
}

/** The newest minor version of each major version of PostgreSQL. 18.6 fixes CVE-2026-14680 and CVE-2026-16239. */
const NEWEST_POSTGRES: Record<string, number> = { 15: 20, 16: 16, 17: 12, 18: 6 };

/**
 * Returns a newer minor version with security fixes; null if this version is the newest.
 * @param version such as 18.4
 */
export function newerPostgres(version: string): string | null {
  const [major = '', minor = ''] = version.split('.');
  const newest = NEWEST_POSTGRES[major];
  return newest === undefined || Number.parseInt(minor, 10) >= newest ? null : `${major}.${newest}`;
}
