// A drawing of a park's current state: time of day, weather and number of dogs. Decorative, because text conveys the same.
import type { SunPhase } from '#/core/sun.ts';
import { classNames } from '#/ui/class-names.ts';
import '#/ui/theme/park-scenes.css';
import styles from './park-scene.module.css';

export type SceneSky = 'clear' | 'clouds' | 'rain';

interface ParkSceneProps {
  phase: SunPhase;
  /** The sky; null if the weather is unknown, which draws a clear sky. */
  sky: SceneSky | null;
  /** The current number of dogs. Only as many as fit are drawn. */
  dogs: number;
  /** True for a drawing as wide as the page. The landscape continues to both sides, with space for more dogs. */
  wide?: boolean;
  /** The typical size of the dogs, if it may be disclosed. */
  size?: 'SMALL' | 'MEDIUM' | 'LARGE' | 'MIXED' | undefined;
  /** Photo URLs of friends' dogs among them. */
  avatars?: readonly string[];
  className?: string | undefined;
}

/** Position, size and direction of each dog; the nearest are last, so that they are drawn in front. */
const SPOTS = [
  { x: 150, y: 132, size: 0.8, turned: false },
  { x: 214, y: 136, size: 0.62, turned: true },
  { x: 96, y: 140, size: 0.72, turned: true },
  { x: 252, y: 148, size: 0.95, turned: false },
  { x: 58, y: 152, size: 0.9, turned: false },
  { x: 178, y: 156, size: 1.1, turned: true },
];
const MORE_SPOTS = [
  { x: 8, y: 138, size: 0.7, turned: false },
  { x: 306, y: 140, size: 0.75, turned: true },
  { x: 112, y: 160, size: 0.95, turned: false },
  { x: 334, y: 156, size: 1, turned: false },
  { x: 216, y: 162, size: 0.9, turned: true },
  { x: -24, y: 154, size: 0.95, turned: true },
];
const SIZE = { SMALL: 0.75, MEDIUM: 1, LARGE: 1.2, MIXED: 1 };

const DOG =
  'M1 9c1-3 4-3 5 0l2 5h17c2 0 3-1 4-3l2-6c1-3 3-4 4-3l1 3c3 0 5 1 6 3l3 2c2 1 1 4-1 4l-6 1c-1 3-3 5-4 8l1 12h-4l-2-10c-5 1-9 1-13-1l-4 11H8l2-12c-3-2-5-5-6-9z';
const RAIN = Array.from({ length: 22 }, (_, index) => ({
  x: (index * 61) % 330,
  y: (index * 37) % 120,
}));
const STARS = [
  [38, 22],
  [82, 44],
  [130, 18],
  [176, 40],
  [224, 16],
  [286, 62],
  [20, 66],
];

export function ParkScene(props: ParkSceneProps) {
  const { phase, sky, dogs, wide = false, size = 'MEDIUM', avatars = [], className } = props;
  const spots = (wide ? [...SPOTS, ...MORE_SPOTS] : SPOTS).slice(0, dogs);
  const grown = (at: number) => SIZE[size] * (size === 'MIXED' && at % 2 === 0 ? 0.75 : 1);
  const land = (
    <>
      <path className={styles.far} d="M-1 108h1c40-26 84-24 124-6 52 22 118 20 196-14h1v92H-1z" />
      <g className={styles.tree}>
        <path d="M40 84h7v36h-7zM283 82h8v42h-8z" />
        <circle cx="43" cy="72" r="25" />
        <circle cx="287" cy="66" r="30" />
      </g>
      <path className={styles.lawn} d="M-1 126h1c70-18 152-14 214-6 44 6 78 4 106-4h1v64H-1z" />
    </>
  );
  return (
    <svg
      aria-hidden
      viewBox={wide ? '-320 0 960 180' : '0 0 320 180'}
      preserveAspectRatio="xMidYMax slice"
      className={classNames('park-scene', styles.scene, className)}
      data-phase={phase}
      data-sky={sky ?? 'clear'}
    >
      {phase === 'night' && sky !== 'rain' && (
        <g className={styles.stars}>
          {STARS.map(([x, y]) => (
            <circle key={x} cx={x} cy={y} r="1.6" />
          ))}
        </g>
      )}
      {sky !== 'rain' && <circle className={styles.light} cx="252" cy={LIGHT[phase]} r="17" />}
      {sky !== null && sky !== 'clear' && (
        <path
          className={styles.cloud}
          d="M44 62a15 15 0 0 1 4-29 21 21 0 0 1 40-3 17 17 0 0 1 9 32zM196 46a12 12 0 0 1 3-23 17 17 0 0 1 32-2 14 14 0 0 1 7 25z"
        />
      )}
      {wide && (
        <>
          {/* Mirrored at the edges, so that the landscape continues without a seam. */}
          <g transform="scale(-1 1)">{land}</g>
          <g transform="translate(640) scale(-1 1)">{land}</g>
        </>
      )}
      {land}
      {phase === 'night' && (
        <>
          <ellipse className={styles.glow} cx="111" cy="140" rx="52" ry="13" />
          <circle className={styles.glow} cx="111" cy="72" r="26" />
          <circle className={styles.bulb} cx="111" cy="77" r="5" />
          <path className={styles.lamp} d="M109 78h4v60h-4zM101 74q10-14 20 0z" />
        </>
      )}
      <path className={styles.path} d="M128 180c6-26 24-38 20-58h10c8 20-2 34 2 58z" />
      <g className={styles.dogs}>
        {spots.map(({ x, y, size, turned }, at) => (
          <path
            key={x}
            d={DOG}
            transform={`translate(${x} ${y}) scale(${(turned ? -size : size) * grown(at)} ${size * grown(at)}) translate(-24 -35)`}
          />
        ))}
      </g>
      {spots.slice(0, avatars.length).map(({ x, y, size, turned }, at) => (
        <g
          key={avatars[at]}
          className={styles.avatar}
          transform={`translate(${x + (turned ? -13 : 13) * size} ${y - 30 * size})`}
        >
          <circle r="11" />
          <image
            href={avatars[at]}
            x="-10"
            y="-10"
            width="20"
            height="20"
            preserveAspectRatio="xMidYMid slice"
          />
        </g>
      ))}
      {sky === 'rain' && (
        <g className={styles.rain}>
          {RAIN.map(({ x, y }) => (
            <path key={x} d={`M${x} ${y}l-5 15`} />
          ))}
        </g>
      )}
    </svg>
  );
}

/** Vertical position of the sun or the moon. */
const LIGHT: Record<SunPhase, number> = { dawn: 88, day: 36, dusk: 90, night: 34 };
