// What the busy-hours chart draws: 24 bars of one kind of day, scaled to the busiest hour of the week.
import type { BusyHour } from '#/features/parks/go-now.ts';
import type { DayKind } from '#/core/park-time.ts';

export interface BusyBar {
  hour: number;
  /** Dogs on average, one digit after the point. */
  dogs: number;
  /** 0 to 1 of the chart's height. */
  share: number;
}

/** The lowest full scale: two dogs must not look like a crowd. */
const LEAST_FULL = 6;

/** 24 bars, missing hours as empty ones. Both kinds of day share one scale, so that the switch compares. */
export function busyBars(rows: readonly BusyHour[], dayKind: DayKind): BusyBar[] {
  const full = Math.max(LEAST_FULL, ...rows.map((row) => row.dogs));
  return Array.from({ length: 24 }, (_, hour) => {
    const dogs =
      rows.find((row) => row.day_kind === dayKind && row.hour === hour && row.samples > 0)?.dogs ??
      0;
    return { hour, dogs: Math.round(dogs * 10) / 10, share: dogs / full };
  });
}

/** Whether there is any history to draw. */
export function hasHistory(rows: readonly BusyHour[]): boolean {
  return rows.some((row) => row.samples > 0);
}
