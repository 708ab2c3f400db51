// Keeps cards in their places while the user touches them.

/** In the order that is shown, as far as these are still there; new ones follow. @param shown ids */
export function keepPlaces<Item extends { id: number }>(
  next: readonly Item[],
  shown: readonly number[],
): readonly Item[] {
  const byId = new Map(next.map((item) => [item.id, item]));
  const known = new Set(shown);
  return [...shown.flatMap((id) => byId.get(id) ?? []), ...next.filter(({ id }) => !known.has(id))];
}
