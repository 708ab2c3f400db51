// The drawn ground: paths join at the edges of tiles, and each place looks the same at each visit.
import { describe, expect, it } from 'vitest';
import { groundPaths } from '#/map/ground-paths.ts';

/** Where the path data begins and ends, of each stroke. */
function ends(data: string): string[][] {
  return data
    .split('M')
    .filter(Boolean)
    .map((stroke) => {
      const numbers = stroke.split(/[ C]/).map(Number);
      return [`${numbers.at(0)} ${numbers.at(1)}`, `${numbers.at(-2)} ${numbers.at(-1)}`];
    });
}

const onEdge = (points: string[], edge: RegExp) => points.filter((point) => edge.test(point));

describe('groundPaths', () => {
  it('continues every path and trail in the tile to the east and to the south', () => {
    const strokes = (x: number, y: number) => {
      const { paths, trails } = groundPaths(x, y, 16);
      return ends(`${paths}${trails}`).flat();
    };
    const here = strokes(5, 7);
    const leaveEast = onEdge(here, /^512 /).map((point) => point.split(' ')[1]);
    const enterEast = onEdge(strokes(6, 7), /^0 /).map((point) => point.split(' ')[1]);
    expect(leaveEast).toHaveLength(2);
    expect(enterEast).toEqual(leaveEast);
    const leaveSouth = onEdge(here, / 512$/).map((point) => point.split(' ')[0]);
    const enterSouth = onEdge(strokes(5, 8), / 0$/).map((point) => point.split(' ')[0]);
    expect(leaveSouth).toHaveLength(2);
    expect(enterSouth.sort()).toEqual(leaveSouth.sort());
  });

  it('is the same each time and differs between places', () => {
    expect(groundPaths(5, 7, 16)).toEqual(groundPaths(5, 7, 16));
    expect(groundPaths(5, 7, 16)).not.toEqual(groundPaths(5, 8, 16));
    expect(groundPaths(5, 7, 16)).not.toEqual(groundPaths(5, 7, 15));
  });
});
