// Finds the place that an arrow key moves to.

/** Distance penalty per pixel of deviation from the direction. */
const ASIDE = 2;

interface Place {
  x: number;
  y: number;
}

const DIRECTIONS: Record<string, Place> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * @param places screen coordinates in pixels, y pointing down; may include `from`
 * @param key a `KeyboardEvent.key`
 * @returns the index of the place, or -1 if the key is not an arrow key or nothing is in that direction
 */
export function nextInDirection(from: Place, places: readonly Place[], key: string): number {
  const direction = DIRECTIONS[key];
  if (!direction) return -1;
  let next = -1;
  let least = Infinity;
  for (const [index, { x, y }] of places.entries()) {
    const [right, down] = [x - from.x, y - from.y];
    const ahead = right * direction.x + down * direction.y;
    const aside = Math.abs(right * direction.y) + Math.abs(down * direction.x);
    const away = ahead + ASIDE * aside;
    if (ahead > 0 && away < least) [next, least] = [index, away];
  }
  return next;
}
