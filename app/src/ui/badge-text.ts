// How a count is written on a badge.
const MOST = 99;

/** '7', '99+' above 99, null for nothing to show. */
export function badgeText(count: number): string | null {
  if (count <= 0) return null;
  return count > MOST ? `${MOST}+` : String(count);
}
