// The paw clock, a ring of 24 hours with one hand. Its rings, from the outside, are ground, shade and usual dogs. Good hours are
// highlighted.
import { type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import type { ClockHour } from '#/features/verdicts/clock-hours.ts';
import { groundLevel } from '../../../../../shared/verdict/ground-temperature.ts';
import styles from './paw-clock.module.css';

interface PawClockProps {
  hours: readonly ClockHour[];
  /** Index of the hour at which the hand points. */
  at: number;
  onChange: (at: number) => void;
  label: string;
  text: string;
  /** Labels for the hours 0, 6, 12 and 18. */
  names: readonly string[];
  children: ReactNode;
}

const RADIANS = Math.PI / 180;
const DEGREES = 15;
/** Midnight is at the bottom and noon at the top. Time runs clockwise in every language. */
const turned = (hour: number) => `rotate(${hour * DEGREES + 90})`;
/** Returns the path of one hour's segment of a ring. */
const arc = (radius: number) => {
  const [from, to] = [0.6, DEGREES - 0.6].map((degrees) => {
    const angle = degrees * RADIANS;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${from}A${radius} ${radius} 0 0 1 ${to}`;
};
const [GLOW, GROUND, LIGHT, DOGS] = [arc(107), arc(96), arc(84), arc(72)];
/** This many dogs fill the innermost ring. */
const FULL = 10;

export function PawClock({ hours, at, onChange, label, text, names, children }: PawClockProps) {
  function onKeyDown(event: KeyboardEvent): void {
    const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -24, End: 24 };
    const step = steps[event.key as keyof typeof steps];
    if (!step) return;
    event.preventDefault();
    onChange(Math.min(hours.length - 1, Math.max(0, at + step)));
  }

  function point({ currentTarget, clientX, clientY }: PointerEvent): void {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const angle = Math.atan2(clientY - top - height / 2, clientX - left - width / 2) / RADIANS;
    const hour = Math.floor((((angle - 90 + 720) % 360) + 0.001) / DEGREES);
    const found = hours.findIndex((each) => each.hour === hour);
    if (found >= 0 && found !== at) onChange(found);
  }

  return (
    <div className={styles.clock}>
      <svg
        viewBox="-120 -120 240 240"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={hours.length - 1}
        aria-valuenow={at}
        aria-valuetext={text}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          point(event);
        }}
        onPointerMove={(event) => event.buttons > 0 && point(event)}
      >
        {hours.map(({ hour, isGood, ground, asphalt, light, dogs }) => (
          <g key={hour} transform={turned(hour)}>
            {isGood && <path d={GLOW} className={styles.glow} />}
            <path
              d={GROUND}
              className={styles.ground}
              data-level={asphalt === null ? undefined : groundLevel(ground ?? asphalt)}
            />
            <path d={LIGHT} className={styles.light} data-light={light} />
            <path
              d={DOGS}
              className={styles.dogs}
              strokeWidth={1 + 9 * Math.min(1, (dogs ?? 0) / FULL)}
            />
          </g>
        ))}
        <path d="M64 0H113" className={styles.begin} transform={turned(hours[0]?.hour ?? 0)} />
        <g className={styles.hand} transform={turned((hours[at]?.hour ?? 0) + 0.5)}>
          <path d="M66 0H112" />
          <circle cx="112" r="7" />
        </g>
        {names.map((name, quarter) => (
          <text
            key={name}
            x={46 * Math.cos((quarter * 90 + 90) * RADIANS)}
            y={54 * Math.sin((quarter * 90 + 90) * RADIANS) + 3}
          >
            {name}
          </text>
        ))}
      </svg>
      <div className={styles.inside}>{children}</div>
    </div>
  );
}
