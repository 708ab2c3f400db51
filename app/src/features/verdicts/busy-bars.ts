// What the busy-hours chart draws: 24 bars of one kind of day, and their scale.
import type { BusyHour } from '#/entities/parks/park-card.ts';
import type { DayKind } from '#/core/park-time.ts';

interface BusyBar {
  hour: number;
  /** Dogs on average, one digit after the point. */
  dogs: number;
  /** 0 to 1 of the chart's height. */
  share: number;
}

/** The lowest full scale: two dogs must not look like a crowd. */
const MIN_FULL = 6;

/** How many dogs fill the chart's height: both kinds of day, and what is there now, share one scale. */
export const fullScale = (rows: readonly BusyHour[], dogsNow: number): number =>
  Math.max(MIN_FULL, dogsNow, ...rows.map((row) => row.dogs));

/** 24 bars, missing hours as empty ones. @param full see `fullScale` */
export const busyBars = (rows: readonly BusyHour[], dayKind: DayKind, full: number): BusyBar[] =>
  Array.from({ length: 24 }, (_, hour) => {
    const dogs =
      rows.find((row) => row.day_kind === dayKind && row.hour === hour && row.samples > 0)?.dogs ??
      0;
    return { hour, dogs: Math.round(dogs * 10) / 10, share: dogs / full };
  });

export const hasHistory = (rows: readonly BusyHour[]): boolean =>
  rows.some((row) => row.samples > 0);
