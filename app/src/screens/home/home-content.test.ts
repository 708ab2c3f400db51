// Home shows only what is known, in any sequence of events. RANKING_SEQUENCES sets the number of random sequences.
import { expect, it } from 'vitest';
import { seeded, type Seeded } from '../../../../testing/seeded.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.ts';
import { parkClock } from '../../../../shared/park-time.ts';
import { travelMinutes } from '#/core/travel-time.ts';
import type { ParkCard } from '#/entities/parks/park-card.ts';
import { keepPlaces } from '#/features/home/keep-places.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';
import type { ParkOrder } from '#/features/park-lists/park-order.ts';
import { type Forecast, forecastCell } from '../../../../shared/verdict/forecast.ts';
import { type ClusterIndex, createClusterIndex } from '#/map/cluster-index.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';
import type { RankingSnapshot } from '#/screens/shared/park-ranking.ts';
import { homeContent } from './home-content.ts';

const SEQUENCES = Number(process.env.RANKING_SEQUENCES ?? 20);
const EVENTS = 25;
const CARDS = 12;
const CENTRE: LatLong = { lat: 32.08, long: 34.78 };
/** 06:00 in the parks' time zone on a Sunday in May. */
const MORNING = Date.parse('2026-05-03T03:00:00Z');

const placeNear = (random: Seeded, degrees: number): LatLong => ({
  lat: CENTRE.lat + (random.next() - 0.5) * degrees,
  long: CENTRE.long + (random.next() - 0.5) * degrees,
});

const parksOf = (random: Seeded, count: number): ParkListItem[] =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    name: `Park ${at + 1}`,
    city: '',
    address: '',
    location: placeNear(random, 0.4),
    rank: random.chance(0.5) ? 1 + random.upTo(5) : null,
    reviews: 0,
    known: random.chance(0.5)
      ? { facts: { opening_hours: random.pick(['06:00-09:00', '08:00-20:00', '24/7']) } }
      : {},
  })) as unknown as ParkListItem[];

/** Two days of hourly forecasts, some of them with rain. */
function forecastOf(random: Seeded): Forecast {
  const hours = Array.from({ length: 48 }, (_, at) => at);
  const time = hours.map((at) =>
    new Date(Date.parse('2026-05-03T00:00:00Z') + at * HOUR_MS).toISOString().slice(0, 16),
  );
  return {
    timezone: 'Asia/Jerusalem',
    hourly: {
      time,
      temperature_2m: hours.map(() => 12 + random.upTo(14)),
      precipitation_probability: hours.map(() => (random.chance(0.2) ? 90 : 0)),
      weathercode: hours.map(() => 0),
      shortwave_radiation: hours.map(() => 200),
    },
  };
}

interface World extends Omit<RankingSnapshot, 'from' | 'isLocated' | 'nearest'> {
  parks: readonly ParkListItem[];
  index: ClusterIndex;
  location: LatLong | null;
  order: ParkOrder;
  cards: ReadonlyMap<number, ParkCard>;
}

const COUNTS = [0, 1, 3000].map((count) => {
  const parks = parksOf(seeded(count), count);
  return { parks, index: createClusterIndex(parks) };
});

const EVENT: Record<string, (world: World, random: Seeded) => Partial<World>> = {
  located: (_, random) => ({ location: placeNear(random, 0.5) }),
  moved: ({ location }, random) => ({ location: location && placeNear(random, 0.5) }),
  denied: () => ({ location: null }),
  later: ({ timestamp }, random) => ({
    timestamp: timestamp + random.upTo(90) * MINUTE_MS,
    isNow: true,
  }),
  hourChosen: ({ timestamp }) => ({ timestamp: timestamp + 2 * HOUR_MS, isNow: false }),
  mapMoved: (_, random) => ({ around: placeNear(random, 0.4) }),
  list: (_, random) => random.pick(COUNTS),
  counts: ({ parks }, random) => ({
    counts: Object.fromEntries(
      Array.from({ length: 20 }, () => [
        parks[random.upTo(parks.length)]?.id ?? 1,
        { dogs_now: random.upTo(12), busy_level: 'quiet' as const, conditions: [], hazards: [] },
      ]),
    ),
    isLive: random.chance(0.8),
  }),
  forecast: ({ around }, random) => ({
    forecasts: new Map([[String(forecastCell(around)), forecastOf(random)]]),
  }),
  noForecast: () => ({ forecasts: new Map() }),
  favourites: ({ parks }, random) => ({ favourites: [parks[random.upTo(parks.length)]?.id ?? 1] }),
  meeting: ({ parks, timestamp }, random) => ({
    meetings: [
      {
        park_id: parks[random.upTo(parks.length)]?.id ?? 1,
        status: null,
        meet_at: new Date(timestamp + (random.next() - 0.3) * 4 * HOUR_MS).toISOString(),
      } as Meeting,
    ],
  }),
  order: (_, random) => ({ order: random.pick(['best', 'distance', 'rank'] as const) }),
  cards: ({ cards }, random) => ({
    cards: new Map([...cards, [1 + random.upTo(3000), { photo: null, busyHours: [] }]]),
  }),
};

const START: Omit<World, 'parks' | 'index'> = {
  timestamp: MORNING,
  isNow: true,
  around: CENTRE,
  counts: undefined,
  isLive: false,
  forecasts: new Map(),
  friends: [],
  dogs: [],
  dogStates: { puppy: false, inHeat: false },
  favourites: [],
  meetings: [],
  location: null,
  order: 'best',
  cards: new Map(),
};

function contentOf(world: World) {
  const { location, index, around } = world;
  const nearby = index.nearest(around, CARDS, false);
  return {
    nearby,
    content: homeContent(
      {
        ...world,
        from: location ?? around,
        isLocated: location !== null,
        nearest: location && (index.nearest(location, 1, false)[0]?.id ?? null),
      },
      nearby,
      nearby.map(({ id }) => world.cards.get(id)),
      world.order,
    ),
  };
}

function check(world: World): readonly number[] {
  const { location, parks, timestamp, isNow, counts, isLive, meetings, order } = world;
  const { nearby, content } = contentOf(world);
  const shown = content.parks;
  expect(shown.map(({ id }) => id).sort()).toEqual(nearby.map(({ id }) => id).sort());
  if (order === 'best') expect(content.best).toBe(shown[0] ?? null);
  const away = (of: LatLong) => distanceBetween(location ?? of, of);
  for (const each of shown) {
    const { park, verdict, highlight, distance, dogs } = each;
    expect(distance).toBe(location && distanceBetween(location, park.location));
    if (highlight?.type === 'nearest') {
      expect(location).not.toBeNull();
      expect(away(park.location)).toBe(Math.min(...parks.map((each) => away(each.location))));
    }
    expect(dogs).toBe(counts && isLive && isNow ? (counts[park.id]?.dogs_now ?? 0) : null);
    const clock = parkClock(new Date(timestamp));
    if (highlight?.type === 'meeting')
      expect(
        meetings.some(
          ({ park_id, meet_at }) => park_id === park.id && Date.parse(meet_at) > timestamp,
        ),
      ).toBe(true);
    const travel = isNow && distance !== null ? travelMinutes(distance) : 0;
    if (verdict?.type === 'goodNow' && verdict.hour !== null) {
      const arrival = (clock.minute + travel) % (24 * 60);
      expect(verdict.hour * 60).toBeGreaterThanOrEqual(Math.floor(arrival) + 30);
    }
  }
  return shown.map(({ id }) => id);
}

it(`shows only what is known in ${SEQUENCES} sequences of ${EVENTS} events`, () => {
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const random = seeded(seed);
    let world: World = { ...START, ...random.pick(COUNTS) };
    const happened: string[] = [];
    let ids = check(world);
    for (let at = 0; at < EVENTS; at += 1) {
      const name = random.pick(Object.keys(EVENT));
      happened.push(name);
      const { around, parks } = world;
      world = { ...world, ...EVENT[name]?.(world, random) };
      try {
        const next = check(world);
        // While the user touches the strip, the cards that remain keep their order.
        if (world.around === around && world.parks === parks) {
          const held = keepPlaces(
            next.map((id) => ({ id })),
            ids,
          ).map(({ id }) => id);
          expect(held).toEqual(ids);
        }
        ids = next;
      } catch (error) {
        throw new Error(`Seed ${seed}: ${happened.join(', ')}`, { cause: error });
      }
    }
  }
});

it('keeps cards in their places, removes missing ones and appends new ones', () => {
  const items = [5, 1, 4].map((id) => ({ id }));
  expect(keepPlaces(items, [1, 2, 5])).toEqual([{ id: 1 }, { id: 5 }, { id: 4 }]);
});
