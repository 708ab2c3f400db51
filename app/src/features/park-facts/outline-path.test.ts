// Tests the SVG path of a park's outline.
import { expect, it } from 'vitest';
import type { Ring } from '#/core/outline.ts';
import { outlinePath } from '#/features/park-facts/outline-path.ts';

const SQUARE: Ring = [
  [34.8, 32.001],
  [34.801, 32.001],
  [34.801, 32],
  [34.8, 32],
];

it('the path is in metres, with north at the top, from the north-west corner', () => {
  const { d, width, height } = outlinePath({ type: 'Polygon', coordinates: [SQUARE] });
  expect(d).toBe('M0.0 0.0L94.3 0.0L94.3 111.2L0.0 111.2Z');
  expect(width).toBeCloseTo(94.3, 1);
  expect(height).toBeCloseTo(111.2, 1);
});

it('the path contains all parts of a park that a street divides', () => {
  const beside = SQUARE.map(([long, lat]): Ring[number] => [long + 0.002, lat]);
  const { d, width } = outlinePath({ type: 'MultiPolygon', coordinates: [[SQUARE], [beside]] });
  expect(d.match(/M/g)).toHaveLength(2);
  expect(width).toBeCloseTo(282.9, 0);
});
