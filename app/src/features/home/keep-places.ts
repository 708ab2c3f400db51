// Keeps cards in their places while the user touches them.

/** Returns the items in the displayed order, followed by new ones. @param shown displayed IDs */
export function keepPlaces<Item extends { id: number }>(
  next: readonly Item[],
  shown: readonly number[],
): readonly Item[] {
  const byId = new Map(next.map((item) => [item.id, item]));
  const known = new Set(shown);
  return [...shown.flatMap((id) => byId.get(id) ?? []), ...next.filter(({ id }) => !known.has(id))];
}
