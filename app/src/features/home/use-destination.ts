// Where the map was sent on purpose: by a link, a search, or to the person's own place.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { LatLong } from '#/core/distance.ts';
import { startPlace } from '#/core/place.ts';
import { rememberedCamera } from '#/features/home/home-memory.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import { type Camera, HOME_ZOOM, type ParkMap } from '#/map/park-map.ts';
import { setElsewhere, useHere } from '#/platform/here.ts';

/** How far the middle of a map may be from the place it was sent to: it moves by whole pixels. */
const ARRIVED_METRES = 10;

/** How many of the nearest parks the map shows at first. */
const MIN_FITTED = 3;
const MAX_FITTED = 5;

/** What a search found; of a park, its sheet opens. */
export interface Found extends LatLong {
  kind?: 'park' | 'address';
  label?: string;
}

interface DestinationOptions {
  map: ParkMap | null;
  /** The key of this entry of the history. */
  entry: string;
  /** A place that a link asked for. */
  passedIn: LatLong | null;
  onPark: (park: MapPark) => void;
  /** The map looks at another place now. */
  onPlace: (place: LatLong) => void;
}

export function useDestination(options: DestinationOptions) {
  const { map, entry, passedIn, onPark, onPlace } = options;
  const here = useHere().place;
  /** The weather is for it, not for each place the map is dragged across. */
  const [anchor, setAnchor] = useState(passedIn ?? here ?? startPlace());
  /** Null once the map was moved elsewhere: until then, what comes to lie over the map must not hide it. */
  const sentTo = useRef(rememberedCamera(entry) ? null : passedIn);
  /** The last place that was asked for: what is still on its way for one before it comes too late. */
  const aim = useRef<LatLong | null>(null);

  function go(place: Found): void {
    setAnchor(place);
    sentTo.current = place;
    aim.current = place;
    onPlace(place);
    map?.look({ center: place, zoom: HOME_ZOOM });
    if (place.kind === 'park')
      void clusterClient()
        .nearest(place, 1)
        .then(([park]) => park && onPark(park));
    if (place.kind === 'address') void fitAround(place);
    // A place found by its name is where ways begin; one's own, or a park, is not elsewhere.
    const { lat, long, label = '' } = place;
    setElsewhere(place.kind === 'address' ? { lat, long, label } : null);
  }

  /** The nearest parks are in sight, where there are some. */
  async function fitAround(place: LatLong): Promise<void> {
    aim.current = place;
    const parks = await clusterClient().nearest(place, MAX_FITTED, true);
    if (aim.current !== place) return;
    await map?.fit([place, ...parks.map(({ location }) => location)], MIN_FITTED + 1);
  }

  const follow = useEffectEvent(go);
  const followed = useRef(passedIn);
  useEffect(() => {
    if (passedIn && passedIn !== followed.current) follow(passedIn);
    followed.current = passedIn;
  }, [passedIn]);

  /** Call it after each movement. @returns whether the map still looks at the place it was sent to */
  function isStillThere({ center }: Camera): boolean {
    const to = sentTo.current;
    if (!map || !to) return false;
    const away = map.leaflet.distance([center.lat, center.long], [to.lat, to.long]);
    if (away > ARRIVED_METRES) sentTo.current = null;
    return away <= ARRIVED_METRES;
  }

  return { anchor, go, fitAround, sentTo, isStillThere };
}
