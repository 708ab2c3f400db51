// The usual number of dogs at a park by hour.
import type { DayType } from '../park-time.ts';

const HOURS = 24;

export interface BusyHour {
  day_type: DayType;
  hour: number;
  /** Average number of dogs at that hour. */
  dogs: number;
  /** Number of days with dogs at that hour. Once the park has a history, an hour without such days counts as empty. */
  samples: number;
}

/** @param hours of a weekday and then of a weekend day, as park_cards returns them */
export const busyHoursOf = (hours: readonly [dogs: number, samples: number][]): BusyHour[] =>
  hours.map(([dogs, samples], at) => ({
    day_type: at < HOURS ? 'weekday' : 'weekend',
    hour: at % HOURS,
    dogs,
    samples,
  }));
