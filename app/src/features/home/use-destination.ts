// The place to which a link, a search or the locate button moved the map.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { LatLong } from '#/core/distance.ts';
import { HOME_ZOOM, startPlace } from '#/core/place.ts';
import { rememberedCamera } from '#/features/home/home-memory.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import type { Camera, ParkMap } from '#/map/park-map.ts';
import { setElsewhere, useHere } from '#/platform/here.ts';

/** Tolerance between the map's centre and its destination, because the map moves by whole pixels. */
const ARRIVED_METRES = 10;

/** The map initially shows at least this many of the nearest parks. */
const MIN_FITTED = 3;
const MAX_FITTED = 5;

/** A search result. If it is a park, its sheet opens. */
export interface Found extends LatLong {
  type?: 'park' | 'address';
  label?: string;
}

interface DestinationOptions {
  map: ParkMap | null;
  /** Key of the current history entry. */
  entry: string;
  /** The place from the link's query parameters. */
  passedIn: LatLong | null;
  /** The place of the selected park. */
  selected: LatLong | undefined;
  onPark: (park: MapPark) => void;
  /** Called when the map moves to another place. */
  onPlace: (place: LatLong) => void;
}

export function useDestination(options: DestinationOptions) {
  const { map, entry, passedIn, selected, onPark, onPlace } = options;
  const here = useHere().place;
  /** The place whose weather is shown. It does not change while the map is dragged. */
  const [anchor, setAnchor] = useState(passedIn ?? here ?? startPlace());
  /** The destination of the map; null once the user has moved the map. Elements above the map must not cover it. */
  const sentTo = useRef(rememberedCamera(entry) ? null : passedIn);
  /** The last requested place. Responses for earlier places are ignored. */
  const aim = useRef<LatLong | null>(null);

  function go(place: Found): void {
    setAnchor(place);
    sentTo.current = place;
    aim.current = place;
    onPlace(place);
    map?.look({ center: place, zoom: HOME_ZOOM });
    if (place.type === 'park')
      void clusterClient()
        .nearest(place, 1)
        .then(([park]) => park && onPark(park));
    if (place.type === 'address') void fitAround(place);
    // Only an address counts as elsewhere; the user's own location or a park does not.
    const { lat, long, label = '' } = place;
    setElsewhere(place.type === 'address' ? { lat, long, label } : null);
  }

  /** Zooms so that the nearest parks, if any, are visible. */
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

  // After the sheet has closed, the filters must not cover the park's pin.
  useEffect(() => {
    if (selected) sentTo.current = selected;
  }, [selected]);

  /** Call this after each map movement. @returns true if the map is still at its destination */
  function isStillThere({ center }: Camera): boolean {
    const to = sentTo.current;
    if (!map || !to) return false;
    const away = map.leaflet.distance([center.lat, center.long], [to.lat, to.long]);
    if (away > ARRIVED_METRES) sentTo.current = null;
    return away <= ARRIVED_METRES;
  }

  return { anchor, go, fitAround, sentTo, isStillThere };
}
