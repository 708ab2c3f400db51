// Computes the 24 bars of the busy-hours chart, for weekdays or weekends, and their scale.
import type { BusyHour } from '../../../../shared/verdict/busy-hours.ts';
import type { DayType } from '../../../../shared/park-time.ts';

interface BusyBar {
  hour: number;
  /** Average number of dogs, with one decimal place. */
  dogs: number;
  /** Fraction of the chart's height, from 0 to 1. */
  share: number;
}

/** The minimum scale, because otherwise two dogs would look like a crowd. */
const MIN_FULL = 6;

/** Returns the number of dogs at full height. Weekdays, weekends and the current number have the same scale. */
export const fullScale = (rows: readonly BusyHour[], dogsNow: number): number =>
  Math.max(MIN_FULL, dogsNow, ...rows.map((row) => row.dogs));

/** Returns 24 bars; missing hours are empty. @param full see `fullScale` */
export const busyBars = (rows: readonly BusyHour[], dayType: DayType, full: number): BusyBar[] =>
  Array.from({ length: 24 }, (_, hour) => {
    const dogs =
      rows.find((row) => row.day_type === dayType && row.hour === hour && row.samples > 0)?.dogs ??
      0;
    return { hour, dogs: Math.round(dogs * 10) / 10, share: dogs / full };
  });

export const hasHistory = (rows: readonly BusyHour[]): boolean =>
  rows.some((row) => row.samples > 0);
