// Input schemas for parks. City, address and location of a new park are required; other facts may be unknown.
import * as v from 'valibot';
import { MAX_ADDRESS, MAX_NAME, MAX_SHADE, MAX_SIZE } from '#/features/park-facts/park-limits.ts';
import { GROUNDS } from '../../../../shared/enums.ts';

/** Issue messages are message keys, which the form shows next to the field. */
const text = (max: number) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty('ui.missing'), v.maxLength(max, 'ui.field.tooLong'));

const optionalNumber = (least: number, most: number, wrong: string) =>
  v.nullable(v.pipe(v.number(wrong), v.minValue(least, wrong), v.maxValue(most, wrong)));

/** Optional facts, used for new parks and for corrections. */
export const parkFactsInput = v.object({
  /** Square metres. */
  size: optionalNumber(1, MAX_SIZE, 'parks.new.badSize'),
  materials: v.array(v.picklist(GROUNDS)),
  /** Hours per day. */
  shade: optionalNumber(0, MAX_SHADE, 'parks.new.badShade'),
  has_facilities: v.nullable(v.boolean()),
});

export const newParkInput = v.object({
  ...parkFactsInput.entries,
  /** May be empty. A park without a name is shown by its street address. */
  name: v.pipe(v.string(), v.trim(), v.maxLength(MAX_NAME, 'ui.field.tooLong')),
  city: text(MAX_NAME),
  address: text(MAX_ADDRESS),
  location: v.object(
    {
      lat: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
      long: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
    },
    'ui.missing',
  ),
});

export type NewParkInput = v.InferOutput<typeof newParkInput>;
export type ParkFactsInput = v.InferOutput<typeof parkFactsInput>;
