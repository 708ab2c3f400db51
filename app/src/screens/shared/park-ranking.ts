// Ranks parks: a pure function of one snapshot of the available data.
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { parkClock, parkHour } from '../../../../shared/park-time.ts';
import { sunPhase } from '#/core/sun.ts';
import { travelMinutes } from '#/core/travel-time.ts';
import type { DogStates } from '#/entities/dogs/dog-states.ts';
import type { FriendThere } from '#/entities/friendships/friends-there.ts';
import type { ParkLive } from '../../../../shared/verdict/live-counts.ts';
import type { BusyHour } from '../../../../shared/verdict/busy-hours.ts';
import type { ParkFacts } from '../../../../shared/park-facts.ts';
import type { Dog } from '#/features/dogs/dog.ts';
import { dogNeeds } from '#/features/dogs/dog-needs.ts';
import { hourOfMeeting } from '#/features/park-invites/going.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';
import { liveAt } from '../../../../shared/verdict/live-counts.ts';
import { parkVerdict } from '../../../../shared/verdict/park-verdict.ts';
import { type Ranked, rankParks } from '#/features/verdicts/ranking.ts';
import { sunOf } from '../../../../shared/verdict/shade.ts';
import { usualAt } from '../../../../shared/verdict/verdict.ts';
import { type Forecast, forecastCell, hoursAhead } from '../../../../shared/verdict/forecast.ts';

interface ParkToRank {
  id: number;
  location: LatLong;
  rank: number | null;
  facts: ParkFacts;
  busyHours: readonly BusyHour[] | undefined;
}

export interface RankingSnapshot {
  /** Milliseconds since the epoch. */
  timestamp: number;
  /** False if the user has chosen another hour. */
  isNow: boolean;
  /** Place whose sun applies to all parks, and whose weather applies to parks without a forecast. */
  around: LatLong;
  /** Start of the walk to each park; null if unknown. */
  from: LatLong | null;
  /** True if the user starts at `from`: their location or the address they searched for. */
  isLocated: boolean;
  /** ID of the park nearest to the known location; null without one. */
  nearest: number | null;
  counts: Readonly<Record<number, ParkLive>> | undefined;
  /** True if the counts are current; outdated ones are used only to warn of hazards. */
  isLive: boolean;
  /** Forecasts by cell. */
  forecasts: ReadonlyMap<string, Forecast>;
  friends: readonly FriendThere[];
  dogs: readonly Dog[];
  dogStates: DogStates;
  favourites: readonly number[];
  meetings: readonly Meeting[];
}

/** A ranked park with all values derived from the snapshot. */
export interface RankedPark extends Ranked {
  /** Metres from the user; null without a known location. */
  distance: number | null;
  /** The current number of dogs; null if it is unknown or another hour is chosen. */
  dogs: number | null;
  /** Usual number of dogs at the chosen hour; null if unknown. */
  usual: number | null;
  friends: readonly FriendThere[];
}

/** Returns the best first. */
export function rankSnapshot(
  snapshot: RankingSnapshot,
  parks: readonly ParkToRank[],
): RankedPark[] {
  const { isNow, isLive, around, from, isLocated, nearest, counts, forecasts } = snapshot;
  const moment = new Date(snapshot.timestamp);
  const { hour, dayType } = parkHour(moment);
  const ahead = new Map(
    [...forecasts].map(([cell, forecast]) => [cell, hoursAhead(forecast, moment)]),
  );
  const weatherAround = ahead.get(String(forecastCell(around))) ?? [];
  const candidates = parks.map(({ id, location, rank, facts, busyHours }) => {
    const live = isLive ? liveAt(counts, id, isNow) : null;
    const hazards = counts?.[id]?.hazards ?? [];
    const distance = from && distanceBetween(from, location);
    const friends = isNow ? snapshot.friends.filter(({ park_id }) => park_id === id) : [];
    return {
      known: { friends, distance: isLocated ? distance : null },
      id,
      verdict: parkVerdict({
        moment,
        travel: isNow && isLocated && distance !== null ? travelMinutes(distance) : 0,
        own: snapshot.dogStates,
        live,
        hazards,
        facts,
        place: location,
        weather: ahead.get(String(forecastCell(location))) ?? weatherAround,
        busyHours,
      }),
      distance,
      dogs: live && live.dogs,
      usual: usualAt(busyHours ?? [], dayType, hour),
      friends: friends.length,
      meeting: hourOfMeeting(snapshot.meetings, id, moment),
      hazards,
      favourite: snapshot.favourites.includes(id),
      rank,
      facts,
    };
  });
  const byId = new Map(candidates.map((each) => [each.id, each]));
  const ranked = rankParks(candidates, {
    hour,
    dark: sunPhase(moment, around) === 'night',
    sun: sunOf(around, parkClock(moment).day),
    needs: dogNeeds(snapshot.dogs, moment),
    nearest,
  });
  return ranked.flatMap((each) => {
    const found = byId.get(each.id);
    return found ? [{ ...each, ...found.known, dogs: found.dogs, usual: found.usual }] : [];
  });
}
