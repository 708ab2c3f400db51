// The content of the home screen: a pure function of one snapshot, so that cards, pins, clock and list agree.
import type { ParkCard } from '#/entities/parks/park-card.ts';
import type { KnownHazard } from '../../../../shared/verdict/hazards.ts';
import type { ParkOrder } from '#/features/park-lists/park-order.ts';
import { isCovered, type Shared, sharedOf } from '#/features/verdicts/ranking.ts';
import type { LiveRow, MapPark } from '#/map/cluster-protocol.ts';
import { factsOf } from '#/entities/parks/park-list-file.ts';
import {
  type RankedPark,
  type RankingSnapshot,
  rankSnapshot,
} from '#/screens/shared/park-ranking.ts';

/** Parks with a lower usual number of dogs are not drawn with dogs on the map. */
const MIN_USUAL_DOGS = 0.5;

/** The content of a card. */
export interface ShownPark extends RankedPark {
  park: MapPark;
  /** Object path in the parks bucket; null without a photo, undefined while loading. */
  photo: string | null | undefined;
  hazards: readonly KnownHazard[];
  /** True if the line above the cards shows the verdict of this park. */
  isShared: boolean;
}

interface HomeContent {
  parks: readonly ShownPark[];
  /** The best park, regardless of the order. */
  best: ShownPark | null;
  shared: Shared;
  /** Parks that usually have dogs at the hour. */
  usual: LiveRow[];
}

/** @param nearby nearest first @param cards in the same order; undefined while loading */
export function homeContent(
  snapshot: RankingSnapshot,
  nearby: readonly MapPark[],
  cards: readonly (ParkCard | undefined)[],
  order: ParkOrder,
): HomeContent {
  const ranked = rankSnapshot(
    snapshot,
    nearby.map((park, at) => ({
      ...park,
      facts: factsOf(park.known),
      busyHours: cards[at]?.busyHours,
    })),
  );
  const shared = sharedOf(ranked.map(({ verdict }) => verdict));
  const at = new Map(nearby.map(({ id }, index) => [id, index]));
  const bestFirst = ranked.flatMap((each): ShownPark[] => {
    const index = at.get(each.id) ?? -1;
    const park = nearby[index];
    if (!park) return [];
    const card = cards[index];
    return [
      {
        ...each,
        park,
        photo: card && card.photo,
        hazards: snapshot.counts?.[park.id]?.hazards ?? [],
        isShared: isCovered(each.verdict, shared),
      },
    ];
  });
  const inOrder: Record<ParkOrder, () => ShownPark[]> = {
    best: () => bestFirst,
    distance: () => [...bestFirst].sort((a, b) => (at.get(a.id) ?? 0) - (at.get(b.id) ?? 0)),
    rank: () => [...bestFirst].sort((a, b) => (b.park.rank ?? 0) - (a.park.rank ?? 0)),
  };
  return {
    parks: inOrder[order](),
    best: bestFirst[0] ?? null,
    shared,
    usual: bestFirst.flatMap(({ id, usual }) =>
      usual !== null && usual >= MIN_USUAL_DOGS ? [{ id, dogs: Math.round(usual) }] : [],
    ),
  };
}
