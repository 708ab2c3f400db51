// Bounds what costs this process something for as long as it takes: one for each person, and so many in all.

export interface AtOnce {
  /** Null where it may begin; else why not, as a status: 429 while this person's last one is under way, 503 while too many are. */
  begin(who: string): 429 | 503 | null;
  end(who: string): void;
}

/** @param most under way in all; kept by this process, and not by others */
export function createAtOnce(most: number): AtOnce {
  const underWay = new Set<string>();
  return {
    begin(who) {
      if (underWay.has(who)) return 429;
      if (underWay.size >= most) return 503;
      underWay.add(who);
      return null;
    },
    end: (who) => void underWay.delete(who),
  };
}
