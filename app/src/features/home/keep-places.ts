// Prevents cards from moving while the user touches them.

/** Returns the displayed items in their current order, followed by new ones. @param shown displayed IDs */
export function keepPlaces<Item extends { id: number }>(
  next: readonly Item[],
  shown: readonly number[],
): readonly Item[] {
  const byId = new Map(next.map((item) => [item.id, item]));
  const known = new Set(shown);
  return [...shown.flatMap((id) => byId.get(id) ?? []), ...next.filter(({ id }) => !known.has(id))];
}
