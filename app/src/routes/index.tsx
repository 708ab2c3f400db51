// /: the home map.
import { createFileRoute } from '@tanstack/react-router';
import { readLatLong, startPlace } from '#/core/place.ts';
import type { ParkFilterSearch } from '#/features/park-lists/park-filters.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import { preloadFirstTile } from '#/map/first-tile.ts';
import { getConfig } from '#/platform/config.ts';
import { nativePlatform } from '#/platform/native.ts';
import { HomeScreen } from '#/screens/home/home-screen.tsx';

interface HomeSearch extends ParkFilterSearch {
  lat?: number | undefined;
  long?: number | undefined;
  park?: number | undefined;
  keepMap?: true | undefined;
}

export const Route = createFileRoute('/')({
  // ?lat=…&long=…: the initial place of the map; invalid values are ignored.
  // ?park=…: the park whose sheet is open, so that the back button closes it.
  // ?keepMap=true: the sheet that saves the map on the device is open.
  // All others are filters, which screens/home/filters.tsx parses leniently.
  validateSearch: ({
    lat,
    long,
    park,
    keepMap,
    ...filters
  }: Record<string, unknown>): HomeSearch => ({
    ...filters,
    ...readLatLong(lat, long),
    ...(Number.isSafeInteger(park) && { park: Number(park) }),
    ...(keepMap === true && { keepMap }),
  }),
  // The worker fetches its parks, and the browser the map's central tile, while this route's code is still loading.
  loader({ location }) {
    clusterClient().load();
    const { lat, long } = location.search as HomeSearch;
    const { map, tiles } = getConfig();
    if (!map && nativePlatform() === null)
      preloadFirstTile(tiles.url, readLatLong(lat, long) ?? startPlace());
  },
  component: HomeScreen,
});
