// Chooses the one banner or question that home shows.
import type { ParksState } from '#/map/cluster-client.ts';

interface HomeNoticeInput {
  isParkSelected: boolean;
  parks: ParksState;
  /** True if the user searched for another place. */
  isElsewhere: boolean;
  /** The number of markers on the map; null before the first response. */
  drawn: number | null;
  /** The number of parks that match the filters; null without filters. */
  matching: number | null;
  /** True if the user has not seen the introduction, or has not decided about the location. */
  hasIntro: boolean;
}

type HomeNotice = 'park' | 'loading' | 'noneMatch' | 'elsewhere' | 'noneHere' | 'intro';

/** Returns the first notice that applies; null if none does. Without parks there is none, because the cards' slot explains why. */
export function homeNotice(input: HomeNoticeInput): HomeNotice | null {
  const { isParkSelected, parks, isElsewhere, drawn, matching, hasIntro } = input;
  if (isParkSelected) return 'park';
  if (parks.state === 'loading') return 'loading';
  if (parks.state === 'failed' || parks.count === 0) return null;
  if (matching === 0) return 'noneMatch';
  if (isElsewhere) return 'elsewhere';
  if (drawn === 0) return 'noneHere';
  return hasIntro && drawn !== null ? 'intro' : null;
}
