// A drawn park says the hour, the weather and who is there.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SunPhase } from '#/core/sun.ts';
import { ParkScene, type SceneSky } from '#/entities/parks/park-scene.tsx';
import styles from '#/entities/parks/park-scene.module.css';

const draw = (phase: SunPhase, sky: SceneSky | null, dogs: number) =>
  renderToStaticMarkup(createElement(ParkScene, { phase, sky, dogs }));
/** What is drawn of the things that only some scenes have. */
const drawn = (scene: string) =>
  (['stars', 'light', 'cloud', 'lamp', 'rain'] as const).filter((thing) =>
    scene.includes(`class="${String(styles[thing])}"`),
  );
const dogsIn = (scene: string) => scene.match(/<path[^>]* transform="/g)?.length ?? 0;

test('as many dogs are drawn as are there, up to those that have room', () => {
  expect([0, 1, 4, 9].map((dogs) => dogsIn(draw('day', null, dogs)))).toEqual([0, 1, 4, 6]);
});

test('at the gate more have room, and friends have faces', () => {
  const gate = renderToStaticMarkup(
    createElement(ParkScene, {
      phase: 'day',
      sky: null,
      dogs: 9,
      wide: true,
      faces: ['/rex.webp', '/luna.webp'],
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
  // Its colours follow.
  expect(scene).toContain(`data-phase="${phase}"`);
});
