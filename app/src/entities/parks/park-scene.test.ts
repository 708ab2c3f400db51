// A drawn park shows the time of day, the weather and the dogs.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SunPhase } from '#/core/sun.ts';
import { ParkScene, type SceneSky } from '#/entities/parks/park-scene.tsx';
import styles from '#/entities/parks/park-scene.module.css';

const draw = (phase: SunPhase, sky: SceneSky | null, dogs: number) =>
  renderToStaticMarkup(createElement(ParkScene, { phase, sky, dogs }));
/** Returns the optional elements in the scene. */
const drawn = (scene: string) =>
  (['stars', 'light', 'cloud', 'lamp', 'rain'] as const).filter((thing) =>
    scene.includes(`class="${String(styles[thing])}"`),
  );
const dogsIn = (scene: string) => scene.match(/<path[^>]* transform="/g)?.length ?? 0;

test('draws as many dogs as are there, up to the available spots', () => {
  expect([0, 1, 4, 9].map((dogs) => dogsIn(draw('day', null, dogs)))).toEqual([0, 1, 4, 6]);
});

test('has more spots on the wide drawing, and friends have photos', () => {
  const gate = renderToStaticMarkup(
    createElement(ParkScene, {
      phase: 'day',
      sky: null,
      dogs: 9,
      wide: true,
      avatars: ['/rex.webp', '/luna.webp'],
    }),
  );
  expect(dogsIn(gate)).toBe(9);
  expect(gate.match(/href="[^"]+"/g)).toEqual(['href="/rex.webp"', 'href="/luna.webp"']);
});

test.each([
  ['day', 'clear', ['light']],
  ['day', null, ['light']],
  ['dusk', 'clouds', ['light', 'cloud']],
  ['day', 'rain', ['cloud', 'rain']],
  ['night', 'clear', ['stars', 'light', 'lamp']],
  ['night', 'rain', ['cloud', 'lamp', 'rain']],
] as const)('%s, %s', (phase, sky, expected) => {
  const scene = draw(phase, sky, 0);
  expect(drawn(scene)).toEqual(expected);
  // The colours depend on this attribute.
  expect(scene).toContain(`data-phase="${phase}"`);
});
