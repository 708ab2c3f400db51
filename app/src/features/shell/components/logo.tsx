// The Packpark logo, a paw.

export const Logo = ({ size = 40 }: { size?: number }) => (
  <svg aria-hidden viewBox="0 0 64 64" width={size} height={size} fill="currentColor">
    {PAW_PADS.map(([cx, cy, rx, ry]) => (
      <ellipse key={cx} cx={cx} cy={cy} rx={rx} ry={ry} />
    ))}
    <path d={PAW_PALM} />
  </svg>
);

const PAW_PADS = [
  [20, 22, 6, 8],
  [44, 22, 6, 8],
  [9, 35, 5, 7],
  [55, 35, 5, 7],
] as const;

const PAW_PALM =
  'M32 30c8 0 17 10 17 18 0 6-5 8-9 8-3 0-5-1-8-1s-5 1-8 1c-4 0-9-2-9-8 0-8 9-18 17-18z';
