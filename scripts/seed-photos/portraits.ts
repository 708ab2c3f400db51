// Draws a dog of the demo by itself, close up: its coat, its ears, its way of standing, on a lawn or on sand.
import {
  COLOURS,
  TREES,
  ball,
  chance,
  dog,
  mix,
  nth,
  type Ears,
  type Pose,
  type Tree,
} from './shapes.ts';

const SIDE = 720;

/** Sky above, ground below, and what stands far away. */
const PLACES: { sky: string; far: string; ground: string; trees: Tree[] }[] = [
  { sky: '#CFE6EC', far: COLOURS.mint, ground: '#8FC27A', trees: ['round'] },
  { sky: '#BFDDE8', far: '#8FBFD6', ground: COLOURS.dune, trees: ['palm'] },
  { sky: '#FCE6BE', far: '#C9C08A', ground: '#A9C777', trees: ['olive', 'round'] },
  { sky: '#E4F1F0', far: COLOURS.mint, ground: '#79B86B', trees: ['cypress', 'willow'] },
];

/** How large a dog is drawn, and how wide it is then, by what it does. */
const SIZES: Record<Pose, [scale: number, width: number]> = {
  sit: [6, 84],
  stand: [5, 108],
  bow: [4.6, 122],
  run: [4.5, 96],
};

export interface Portrait {
  id: number;
  coat: string;
  ears: Ears;
  pose: Pose;
  collar?: string;
}

/**
 * One portrait as SVG text, 720 × 720.
 * @param shot which of the dog's pictures; each has its own place
 */
export function portrait(
  { id, coat, ears, pose, collar = COLOURS.ball }: Portrait,
  shot: number,
): string {
  const random = chance(id * 17 + shot * 5 + 3);
  const place = nth(PLACES, id + shot * 2);
  const horizon = 400;
  const flip = (id + shot) % 2 === 0;
  const shown = shot === 0 ? pose : 'stand';
  const [scale, width] = SIZES[shown];
  const left = SIDE / 2 + ((flip ? 1 : -1) * width * scale) / 2;
  const trees = place.trees.map((kind, index) =>
    TREES[kind](
      110 + index * 470 + random() * 60,
      horizon + 24,
      0.9 + random() * 0.3,
      mix(COLOURS.leaf, place.sky, 0.3),
    ),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}">
<rect width="${SIDE}" height="${SIDE}" fill="${place.sky}"/>
<circle cx="${flip ? 150 : 570}" cy="140" r="54" fill="#fff" opacity="0.75"/>
<path d="M0 ${horizon - 20} C160 ${horizon - 90} 300 ${horizon + 10} 420 ${horizon - 30} S640 ${horizon - 80} 720 ${horizon - 20} V${SIDE} H0 Z" fill="${mix(place.far, place.sky, 0.35)}"/>
${trees.join('')}
<path d="M0 ${horizon + 30} C200 ${horizon} 480 ${horizon + 50} 720 ${horizon + 16} V${SIDE} H0 Z" fill="${place.ground}"/>
<path d="M0 590 C240 560 460 630 720 580 V${SIDE} H0 Z" fill="${mix(place.ground, COLOURS.park, 0.14)}"/>
${dog(left, 640, scale, flip, shown, coat, ears, collar)}
${ball(flip ? 600 : 120, 655, 26)}
</svg>`;
}
