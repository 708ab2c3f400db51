// What the published list says of a park's facts, in the shape that its page has.
import type { ParkFacts } from '#/entities/parks/park-facts.ts';
import type { ListedFacts } from '#/entities/parks/park-list-file.ts';

/** Null or missing where nothing is known; square metres are only on the page. */
export const factsOf = (known: ListedFacts | undefined): ParkFacts => ({
  size: null,
  size_label: known?.size ?? null,
  materials: known?.ground ?? null,
  shade: known?.shade ?? null,
  has_facilities: known?.facilities ?? null,
  facts: known?.facts ?? {},
});
