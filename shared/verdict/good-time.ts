// Good times: a pure rule for telling users that a park is good to go to now and for the next hour.
import { MINUTE_MS } from '../durations.ts';
import { type Forecast, hoursAhead } from './forecast.ts';
import { type KnownOfPark, parkVerdict } from './park-verdict.ts';
import { isGood } from './verdict.ts';

/** Reasons that the message gives, in its order; each has a text in goodReasons of database.json. */
export const GOOD_REASONS = ['shaded', 'mild', 'usuallyQuiet', 'dry', 'hotAsphalt'] as const;

export interface GoodTime {
  /** Members of GOOD_REASONS, separated by spaces. */
  reasons: string;
  /** Degrees Celsius, if the temperature is a reason. */
  temperature?: number;
}

/** When the verdict is computed, in minutes from now; opening hours may change at any quarter of an hour. */
const CHECKED = [0, 15, 30, 45, 60];

/** Returns null if the park is not good now or does not stay good. */
export function goodTime(
  known: Omit<KnownOfPark, 'travel' | 'own' | 'weather'>,
  forecast: Forecast,
): GoodTime | null {
  const { moment, live } = known;
  const verdicts = CHECKED.map((minutes) => {
    const at = new Date(moment.getTime() + minutes * MINUTE_MS);
    return parkVerdict({
      ...known,
      moment: at,
      // The number of dogs at a later time is not known.
      live: live && minutes > 0 ? { ...live, dogs: null } : live,
      weather: hoursAhead(forecast, at),
    });
  });
  const [now] = verdicts;
  if (!now || !verdicts.every(isGood)) return null;
  const found = GOOD_REASONS.flatMap((type) =>
    now.reasons
      .filter(
        (reason) =>
          reason.type === type || (type === 'hotAsphalt' && reason.type === 'asphaltFrom'),
      )
      .map((reason) => ({ type, reason })),
  );
  const mild = found.find(({ reason }) => reason.type === 'mild')?.reason;
  return {
    reasons: found.map(({ type }) => type).join(' '),
    ...(mild?.type === 'mild' && { temperature: mild.temperature }),
  };
}
