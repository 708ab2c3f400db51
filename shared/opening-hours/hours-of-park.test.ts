// Hours in which dogs are allowed at a park, as input for the verdict.
import { expect, it } from 'vitest';
import { hoursOfPark, openingAhead } from './hours-of-park.ts';

const PLACE = { lat: 32.08, long: 34.78 };
const THURSDAY = Date.parse('2026-11-19T00:00Z') / 86_400_000;

it.each([
  [{ opening_hours: 'Su-Th 06:00-22:00; Fr 06:00-15:00; Sa off' }, [6, 22, 30, 39]],
  [{ opening_hours: 'Th 18:00-02:00' }, [18, 26]],
  [{ dog: 'leashed', 'dog:conditional': 'no @ (22:00-05:00)' }, [5, 22, 29, 46]],
  [{ dog: 'leashed', 'dog:conditional': 'no @ (Th 00:00-24:00)' }, [24, 48]],
  [
    { opening_hours: '06:00-22:00', 'dog:conditional': 'no @ (10:00-16:00)' },
    [6, 10, 16, 22, 30, 34, 40, 46],
  ],
  [{ dog: 'unleashed' }, null],
])('%j, on a Thursday and the Friday after', (facts, expected) => {
  const opening = openingAhead(hoursOfPark(facts, PLACE), THURSDAY);
  expect(opening?.flatMap(({ opensAt, closesAt }) => [opensAt, closesAt]) ?? null).toEqual(
    expected,
  );
});
