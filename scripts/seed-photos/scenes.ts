// Composes a park's picture: a sky for the time of day, something far away, trees, a fence, the ground, and dogs on it.
import {
  COLOURS,
  TREES,
  ball,
  bench,
  chance,
  dog,
  fence,
  fountain,
  mix,
  nth,
  type Pose,
  type Tree,
} from './shapes.ts';

const W = 960;
const H = 640;

type Time = 'morning' | 'noon' | 'evening' | 'dusk';
interface Sky {
  top: string;
  bottom: string;
  sun: string;
  sunAt: [x: number, y: number];
  light: string;
  tint: number;
}
type Random = () => number;

const SKIES: Record<Time, Sky> = {
  morning: {
    top: '#CFE6EC',
    bottom: '#FBF3E0',
    sun: '#FFF3C4',
    sunAt: [720, 190],
    light: '#FFF6DA',
    tint: 0.05,
  },
  noon: {
    top: '#8CC3DD',
    bottom: '#E4F1F0',
    sun: '#FFFFFF',
    sunAt: [480, 96],
    light: '#FFFFFF',
    tint: 0,
  },
  evening: {
    top: '#F2B38C',
    bottom: '#FCE6BE',
    sun: '#FFE08A',
    sunAt: [690, 270],
    light: '#FFB877',
    tint: 0.16,
  },
  dusk: {
    top: '#5B7FB0',
    bottom: '#FFD0B0',
    sun: '#FFF6DC',
    sunAt: [250, 130],
    light: '#7D7BB8',
    tint: 0.2,
  },
};

const COATS = [
  '#C98F56',
  '#8A5A3B',
  '#E8CFA4',
  '#3D3A3A',
  '#F4EEE2',
  '#A86B45',
  '#6F6A66',
  '#D9A566',
];

/** A wavy line across the picture from y, closed at the bottom: hills, dunes, lawns. */
function hill(random: Random, y: number, swing: number, colour: string) {
  const point = (share: number) => [share * W, y + (random() - 0.5) * swing * 2] as const;
  const [a, b, c, d] = [point(0), point(0.33), point(0.66), point(1)] as const;
  return `<path d="M0 ${a[1].toFixed(0)} C${W * 0.16} ${(a[1] - swing * random()).toFixed(0)} ${(b[0] - 80).toFixed(0)} ${b[1].toFixed(0)} ${b[0].toFixed(0)} ${b[1].toFixed(0)} S${(c[0] - 60).toFixed(0)} ${(c[1] + swing * 0.5).toFixed(0)} ${c[0].toFixed(0)} ${c[1].toFixed(0)} S${(d[0] - 80).toFixed(0)} ${d[1].toFixed(0)} ${W} ${d[1].toFixed(0)} L${W} ${H} L0 ${H} Z" fill="${colour}"/>`;
}

function skyline(random: Random, y: number, colour: string) {
  let x = -20;
  let d = `M-20 ${y + 60}`;
  while (x < W + 20) {
    const width = 34 + random() * 60;
    const height = 24 + random() * random() * 190;
    d += ` L${x.toFixed(0)} ${(y - height).toFixed(0)} L${(x + width).toFixed(0)} ${(y - height).toFixed(0)}`;
    x += width;
  }
  return `<path d="${d} L${W + 20} ${y + 60} Z" fill="${colour}" opacity="0.55"/>`;
}

function sea(y: number, sky: Sky) {
  const water = mix(COLOURS.sky, sky.bottom, 0.35);
  const glint = (dy: number, width: number, x: number) =>
    `<rect x="${x}" y="${y + dy}" width="${width}" height="3" rx="1.5" fill="#fff" opacity="0.5"/>`;
  return `<rect x="0" y="${y}" width="${W}" height="160" fill="${water}"/>${glint(12, 160, 600)}${glint(24, 90, 660)}${glint(18, 60, 180)}${glint(38, 120, 420)}${glint(46, 70, 720)}
    <path d="M300 ${y - 4} L334 ${y - 4} L328 ${y + 4} L306 ${y + 4} Z M317 ${y - 6} L317 ${y - 36} L336 ${y - 8} Z" fill="#fff" opacity="0.9"/>`;
}

function cloud(x: number, y: number, scale: number, opacity: number) {
  return `<g transform="translate(${x} ${y}) scale(${scale})" fill="#fff" opacity="${opacity}"><ellipse cx="0" cy="0" rx="60" ry="20"/><ellipse cx="-24" cy="-12" rx="30" ry="20"/><ellipse cx="18" cy="-18" rx="36" ry="24"/></g>`;
}

function groundOf(kind: string, random: Random, y: number, sky: Sky) {
  const tinted = (colour: string) => mix(colour, sky.light, sky.tint);
  const tufts = (colour: string, count: number) =>
    Array.from({ length: count }, () => {
      const gy = y + 40 + random() * (H - y - 50);
      const gx = random() * W;
      const s = 0.5 + ((gy - y) / (H - y)) * 0.9;
      return `<path d="M${gx.toFixed(0)} ${gy.toFixed(0)} q${(-5 * s).toFixed(1)} ${(-10 * s).toFixed(1)} ${(-9 * s).toFixed(1)} ${(-14 * s).toFixed(1)} m${(9 * s).toFixed(1)} ${(14 * s).toFixed(1)} q0 ${(-12 * s).toFixed(1)} ${(2 * s).toFixed(1)} ${(-19 * s).toFixed(1)} m${(-2 * s).toFixed(1)} ${(19 * s).toFixed(1)} q${(5 * s).toFixed(1)} ${(-9 * s).toFixed(1)} ${(10 * s).toFixed(1)} ${(-12 * s).toFixed(1)}" stroke="${colour}" stroke-width="${(2.4 * s).toFixed(1)}" fill="none" stroke-linecap="round"/>`;
    }).join('');
  const stones = (colour: string, count: number) =>
    Array.from({ length: count }, () => {
      const gy = y + 30 + random() * (H - y - 40);
      const s = 0.5 + ((gy - y) / (H - y)) * 1.2;
      return `<ellipse cx="${(random() * W).toFixed(0)}" cy="${gy.toFixed(0)}" rx="${(7 * s).toFixed(1)}" ry="${(3.4 * s).toFixed(1)}" fill="${colour}"/>`;
    }).join('');
  if (kind === 'GRASS') {
    const base = tinted('#79B86B');
    return (
      hill(random, y, 14, base) +
      hill(random, y + 90, 22, mix(base, '#DDF25A', 0.16)) +
      hill(random, y + 190, 26, mix(base, COLOURS.park, 0.16)) +
      tufts(mix(base, COLOURS.park, 0.55), 26)
    );
  }
  if (kind === 'SAND') {
    const base = tinted(COLOURS.dune);
    return (
      hill(random, y - 10, 26, mix(base, COLOURS.sand, 0.35)) +
      hill(random, y + 70, 40, base) +
      hill(random, y + 170, 46, mix(base, COLOURS.sand, 0.28)) +
      tufts(mix(base, COLOURS.park, 0.45), 9) +
      stones(mix(base, COLOURS.earth, 0.3), 8)
    );
  }
  if (kind === 'DIRT') {
    const base = tinted('#CFA678');
    return (
      hill(random, y, 12, base) +
      hill(random, y + 100, 24, mix(base, COLOURS.earth, 0.25)) +
      hill(random, y + 210, 20, mix(base, COLOURS.earth, 0.45)) +
      stones(mix(base, COLOURS.bark, 0.35), 22) +
      tufts(mix(base, COLOURS.park, 0.6), 8)
    );
  }
  const base = tinted('#4FAE72');
  const bands = Array.from({ length: 5 }, (_, i) => {
    const x = -200 + i * 280;
    return `<path d="M${W / 2 + (x + 100 - W / 2) * 0.45} ${y + 4} L${W / 2 + (x + 240 - W / 2) * 0.45} ${y + 4} L${x + 260} ${H} L${x - 20} ${H} Z" fill="${mix(base, '#ffffff', 0.1)}"/>`;
  }).join('');
  return `<rect x="0" y="${y}" width="${W}" height="${H - y}" fill="${base}"/>${bands}<path d="M0 ${y + 34} L${W} ${y + 22}" stroke="#fff" stroke-width="4" opacity="0.7"/>`;
}

export interface Park {
  id: number;
  far: 'city' | 'hills' | 'sea' | 'dunes';
  trees: Tree[];
  ground: string[];
  fence: 'wood' | 'mesh';
  facilities: boolean | null;
}

/**
 * One picture as SVG text, 960 × 640.
 * @param shot which of the park's pictures; each has its own time of day and moment
 */
export function scene(park: Park, shot: number): string {
  const random = chance(park.id * 31 + shot * 7 + 5);
  const times: Time[] = ['morning', 'noon', 'evening', 'dusk'];
  // The first picture of a park is a bright one.
  const time = nth(times, shot === 0 ? (park.id * 2 + (park.id % 5)) % 3 : park.id + shot * 3);
  const sky = SKIES[time];
  const horizon = 300 + Math.round(random() * 40);
  const ground = nth(park.ground, shot);
  const leaf = mix(mix(COLOURS.leaf, COLOURS.park, random() * 0.6), sky.light, sky.tint * 0.8);
  const parts = [
    `<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky.top}"/><stop offset="1" stop-color="${sky.bottom}"/></linearGradient>
     <radialGradient id="g"><stop offset="0" stop-color="${sky.sun}" stop-opacity="0.9"/><stop offset="1" stop-color="${sky.sun}" stop-opacity="0"/></radialGradient></defs>`,
    `<rect width="${W}" height="${horizon + 80}" fill="url(#s)"/>`,
    `<circle cx="${sky.sunAt[0]}" cy="${sky.sunAt[1]}" r="170" fill="url(#g)"/><circle cx="${sky.sunAt[0]}" cy="${sky.sunAt[1]}" r="${time === 'dusk' ? 26 : 42}" fill="${sky.sun}"/>`,
  ];
  const clouds = time === 'noon' ? 0.85 : 0.45;
  parts.push(cloud(120 + random() * 160, 90 + random() * 60, 0.9 + random() * 0.5, clouds));
  parts.push(cloud(560 + random() * 260, 70 + random() * 70, 0.6 + random() * 0.5, clouds * 0.8));
  if (park.far === 'sea') parts.push(sea(horizon - 46, sky));
  if (park.far === 'city') parts.push(skyline(random, horizon, mix(COLOURS.sky, sky.bottom, 0.45)));
  if (park.far !== 'sea')
    parts.push(
      hill(
        random,
        horizon - (park.far === 'hills' ? 60 : 8),
        park.far === 'hills' ? 60 : 16,
        mix(COLOURS.mint, sky.bottom, 0.45),
      ),
    );
  if (park.far === 'hills')
    parts.push(hill(random, horizon - 10, 30, mix(COLOURS.mint, sky.light, sky.tint)));
  if (park.far === 'dunes')
    parts.push(hill(random, horizon - 30, 44, mix(COLOURS.dune, sky.light, sky.tint)));

  const stand = horizon + 46;
  const species = park.trees;
  const count = species.length === 0 ? 0 : 4 + Math.floor(random() * 3);
  const far = Array.from({ length: count }, (_, i) => ({
    x: ((i + 0.2 + random() * 0.6) / count) * W,
    scale: 0.55 + random() * 0.3,
    kind: nth(species, Math.floor(random() * species.length)),
  }));
  for (const tree of far)
    parts.push(TREES[tree.kind](tree.x, stand + 6, tree.scale, mix(leaf, sky.bottom, 0.28)));
  parts.push(groundOf(ground, random, stand, sky));
  if (park.fence)
    parts.push(
      fence(
        stand + 34,
        park.fence === 'wood' ? 52 : 64,
        park.fence === 'wood',
        random() > 0.5 ? 180 + random() * 500 : null,
      ),
    );

  const side = random() > 0.5;
  const things: { y: number; svg: string }[] = [];
  if (species.length > 0) {
    const kind = nth(species, shot);
    things.push({ y: 500, svg: TREES[kind](side ? 130 : 830, 500, 1.5 + random() * 0.25, leaf) });
    if (random() > 0.45)
      things.push({
        y: 440,
        svg: TREES[nth(species, 0)](side ? 860 : 90, 440, 1.05, mix(leaf, COLOURS.ball, 0.08)),
      });
  }
  if (park.facilities !== false) {
    things.push({
      y: 490,
      svg: bench(side ? 250 + random() * 60 : 540 + random() * 60, 490, 1.05),
    });
    if (park.facilities && shot % 2 === 0)
      things.push({
        y: 470,
        svg: fountain(side ? 720 + random() * 100 : 190 + random() * 100, 470, 1),
      });
  }
  // A sandy dog on sand is no picture.
  const coats = COATS.filter((coat) => ground !== 'SAND' || !['#E8CFA4', '#D9A566'].includes(coat));
  const poses: Pose[] = ['run', 'sit', 'stand', 'bow'];
  const many = shot === 0 ? 2 + (park.id % 2) : 1 + (shot % 2);
  const middle = side ? 560 : 400;
  for (let i = 0; i < many; i += 1) {
    const y = 536 + i * 32 + random() * 14;
    const flip = i % 2 === (park.id + shot) % 2;
    const x = middle + (i - (many - 1) / 2) * 285 + (random() - 0.5) * 30 + (flip ? 80 : -60);
    things.push({
      y,
      svg: dog(
        x,
        y,
        1.5 + ((y - 520) / 120) * 0.8,
        flip,
        nth(poses, park.id + i + shot),
        nth(coats, park.id * 3 + i * 5 + shot * 2),
        (park.id + i) % 3 === 0 ? 'prick' : 'floppy',
        i % 2 ? COLOURS.alert : COLOURS.ball,
      ),
    });
  }
  things.push({ y: 610, svg: ball(middle + (side ? 220 : -180) + random() * 60, 596, 15) });
  parts.push(...things.sort((a, b) => a.y - b.y).map((thing) => thing.svg));
  parts.push(
    `<rect width="${W}" height="${H}" fill="${sky.light}" opacity="${(sky.tint * 0.45).toFixed(2)}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}">${parts.join('')}</svg>`;
}
