// How many of something each one holds, so that nobody holds everything.

/** @param most how many places one may hold at once */
export function createPlaces(most: number) {
  const held = new Map<string, number>();
  return {
    /** Takes a place; false where `who` holds all of theirs. */
    take(who: string): boolean {
      const count = held.get(who) ?? 0;
      if (count >= most) return false;
      held.set(who, count + 1);
      return true;
    },
    free(who: string): void {
      const count = held.get(who) ?? 0;
      if (count > 1) held.set(who, count - 1);
      else held.delete(who);
    },
  };
}

export type Places = ReturnType<typeof createPlaces>;
