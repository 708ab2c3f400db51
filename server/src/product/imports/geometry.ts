// The middle and the area of an outline on the ground; good to a percent at the size of a park.

export type Point = [long: number, lat: number];

const METRES_PER_DEGREE = 111_195;

/** @returns the centroid and the area in square metres; the plain mean and 0 where the outline has no area */
export function measureRing(ring: Point[]): { lat: number; long: number; size: number } {
  const [first = [0, 0]] = ring;
  const narrowing = Math.cos((first[1] * Math.PI) / 180);
  // Metres from the first corner: near enough to flat, and no digits are lost.
  const corners = ring.map(([long, lat]) => ({
    x: (long - first[0]) * METRES_PER_DEGREE * narrowing,
    y: (lat - first[1]) * METRES_PER_DEGREE,
  }));
  let doubled = 0;
  let sumX = 0;
  let sumY = 0;
  corners.forEach((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner;
    const cross = corner.x * next.y - next.x * corner.y;
    doubled += cross;
    sumX += (corner.x + next.x) * cross;
    sumY += (corner.y + next.y) * cross;
  });
  const mean = (pick: (corner: { x: number; y: number }) => number) =>
    corners.reduce((sum, corner) => sum + pick(corner), 0) / corners.length;
  const [x, y] =
    Math.abs(doubled) < 1
      ? [mean((corner) => corner.x), mean((corner) => corner.y)]
      : [sumX / (3 * doubled), sumY / (3 * doubled)];
  return {
    long: first[0] + x / METRES_PER_DEGREE / narrowing,
    lat: first[1] + y / METRES_PER_DEGREE,
    size: Math.abs(doubled) / 2,
  };
}
