// Sunrise, sunset and twilight at a place, accurate to about two minutes.
import type { LatLong } from './lat-long.ts';
import type { SunEvent } from './opening-hours/parse-hours.ts';

/** Altitude of the sun's centre in degrees; -6 is civil twilight, in which the ground is still visible. */
const ALTITUDE: Readonly<Record<SunEvent, number>> = {
  dawn: -6,
  sunrise: -0.833,
  sunset: -0.833,
  dusk: -6,
};

const RADIANS = Math.PI / 180;
const MINUTES_OF_DEGREE = 4;

/**
 * Returns when the event happens, in minutes after midnight UTC; NaN if the sun does not reach the event's altitude on this day.
 * Low-accuracy formulas of the Astronomical Almanac (declination and equation of time from mean longitude and mean anomaly), as
 * published by the United States Naval Observatory.
 * @param day days since 1970-01-01
 */
export function sunMinutes(event: SunEvent, day: number, { lat, long }: LatLong): number {
  const since2000 = day - 10_957 - long / 360;
  const anomaly = (357.529 + 0.98560028 * since2000) * RADIANS;
  const mean = 280.459 + 0.98564736 * since2000;
  const ecliptic = (mean + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS;
  const obliquity = 23.439 * RADIANS;
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const ascension =
    Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic)) / RADIANS;
  const equation = ((((mean - ascension + 180) % 360) + 360) % 360) - 180;
  const noon = 720 - MINUTES_OF_DEGREE * (long + equation);
  const hourAngle =
    Math.acos(
      (Math.sin(ALTITUDE[event] * RADIANS) - Math.sin(lat * RADIANS) * Math.sin(declination)) /
        (Math.cos(lat * RADIANS) * Math.cos(declination)),
    ) / RADIANS;
  const morning = event === 'dawn' || event === 'sunrise';
  return noon + (morning ? -1 : 1) * MINUTES_OF_DEGREE * hourAngle;
}
