// Reasons of a verdict: a fact about the park or the hour, and its weight against going. verdict.ts sorts them for display.
import type { Closure } from './conditions.ts';
import type { ParkCondition, ParkHazard } from '../enums.ts';

export type Reason = { good: boolean } & (
  | {
      type:
        | ParkCondition
        | Closure
        | ParkHazard
        | 'thunder'
        | 'sunny'
        | 'shaded'
        | 'dry'
        | 'hotAsphalt';
    }
  | { type: 'rain'; percent: number }
  | { type: 'heat' | 'cold' | 'mild' | 'hotGround'; temperature: number }
  | { type: 'dogs' | 'crowd'; dogs: number }
  | { type: 'usuallyQuiet' | 'usuallyBusy' | 'noForecast' | 'puppy' | 'inHeat' }
  /** The hour at which a good time ends and why, or from which asphalt is cool enough. */
  | { type: 'rainFrom' | 'thunderFrom' | 'heatFrom' | 'closesAt' | 'asphaltFrom'; hour: number }
);

export interface Weighed {
  reason: Reason;
  /** 0 does not count against going, 1 suggests caution, and 2 or more makes it a bad hour. */
  weight: number;
}

export const weighed = (weight: number, reason: Reason): Weighed => ({ weight, reason });
