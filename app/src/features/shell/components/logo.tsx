// The paw of Packpark.
import { PAW_PADS, PAW_PALM } from './paw.ts';

export const Logo = ({ size = 40 }: { size?: number }) => (
  <svg aria-hidden viewBox="0 0 64 64" width={size} height={size} fill="currentColor">
    {PAW_PADS.map(([cx, cy, rx, ry]) => (
      <ellipse key={cx} cx={cx} cy={cy} rx={rx} ry={ry} />
    ))}
    <path d={PAW_PALM} />
  </svg>
);
