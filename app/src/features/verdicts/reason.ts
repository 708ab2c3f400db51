// What a verdict rests on: a fact about the park or the hour, and how much it says against going.
import type { Closure } from '#/entities/parks/conditions.ts';
import type { ParkCondition, ParkHazard } from '../../../../shared/enums.ts';

export type Reason = { good: boolean } & (
  | {
      kind:
        | ParkCondition
        | Closure
        | ParkHazard
        | 'thunder'
        | 'sunny'
        | 'shaded'
        | 'dry'
        | 'hotAsphalt';
    }
  | { kind: 'rain'; percent: number }
  | { kind: 'heat' | 'cold' | 'mild' | 'hotGround'; temperature: number }
  | { kind: 'dogs' | 'crowd'; dogs: number }
  | { kind: 'usuallyQuiet' | 'usuallyBusy' | 'noForecast' | 'puppy' | 'inHeat' }
  /** What ends a good time, and when; and from when on asphalt is no longer too hot. */
  | { kind: 'rainFrom' | 'thunderFrom' | 'heatFrom' | 'closesAt' | 'asphaltFrom'; hour: number }
);

export interface Weighed {
  reason: Reason;
  /** 0 says nothing against going, 1 is something to think of, from 2 on it is no good hour. */
  weight: number;
}

export const weighed = (weight: number, reason: Reason): Weighed => ({ weight, reason });
