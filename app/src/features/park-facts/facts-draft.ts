// Converts facts of a park between form fields and the server's format.
import { areaUnit } from '#/core/distance.ts';
import type { ParkFacts } from '../../../../shared/park-facts.ts';
import type { ParkFactsInput } from '#/features/park-facts/park-input.ts';
import { groundsOf } from '../../../../shared/park-facts.ts';
import type { Ground } from '../../../../shared/enums.ts';

export interface FactsDraft {
  /** The size in the unit of area that the site uses. */
  size: string;
  materials: Ground[];
  shade: string;
  facilities: 'unknown' | 'yes' | 'no';
}

export const EMPTY_FACTS: FactsDraft = {
  size: '',
  materials: [],
  shade: '',
  facilities: 'unknown',
};

/** Returns the known facts as the initial values of the form. */
export const draftOf = (park: ParkFacts): FactsDraft => ({
  size: park.size === null ? '' : String(Number((park.size / areaUnit()).toFixed(2))),
  materials: groundsOf(park.materials),
  shade: park.shade === null ? '' : String(park.shade),
  facilities: park.has_facilities === null ? 'unknown' : park.has_facilities ? 'yes' : 'no',
});

export const COLUMN_FACTS = ['size', 'materials', 'shade', 'has_facilities'] as const;

export type ColumnFact = (typeof COLUMN_FACTS)[number];

const toNumber = (text: string) => (text.trim() === '' ? null : Number(text));

const inSquareMetres = (size: number | null) =>
  size === null || areaUnit() === 1 ? size : Math.round(size * areaUnit());

/** Parses the form's fields. An invalid number becomes NaN, which the input schema rejects. */
export const factsOf = (draft: FactsDraft): ParkFactsInput => ({
  size: inSquareMetres(toNumber(draft.size)),
  materials: draft.materials,
  shade: toNumber(draft.shade),
  has_facilities: draft.facilities === 'unknown' ? null : draft.facilities === 'yes',
});

/** Returns only the facts that the user changed; null if there are none. */
export function changedFacts(draft: FactsDraft, park: ParkFacts): ParkFactsInput | null {
  const [now, before] = [factsOf(draft), factsOf(draftOf(park))];
  const same = now.materials.join() === before.materials.join();
  const changed: ParkFactsInput = {
    size: now.size === before.size ? null : now.size,
    materials: same ? [] : now.materials,
    shade: now.shade === before.shade ? null : now.shade,
    has_facilities: now.has_facilities === before.has_facilities ? null : now.has_facilities,
  };
  return COLUMN_FACTS.every((fact) => isUnknown(changed[fact])) ? null : changed;
}

const isUnknown = (value: ParkFactsInput[ColumnFact]) =>
  value === null || (Array.isArray(value) && value.length === 0);

/** Returns the known facts that the user has emptied, which become unknown. */
export function emptiedFacts(draft: FactsDraft, park: ParkFacts): ColumnFact[] {
  const [now, before] = [factsOf(draft), factsOf(draftOf(park))];
  return COLUMN_FACTS.filter((fact) => isUnknown(now[fact]) && !isUnknown(before[fact]));
}
