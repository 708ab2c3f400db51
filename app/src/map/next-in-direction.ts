// Which of several places an arrow key leads to.

/** How much further off something seems for each pixel that it lies beside the direction. */
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
 * @param places in pixels of the screen, downwards; `from` may be among them
 * @param key as `KeyboardEvent.key` names it
 * @returns the place's index; -1: the key is no arrow, or nothing lies in its direction
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
