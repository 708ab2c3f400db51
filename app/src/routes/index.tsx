// /: the home map.
import { createFileRoute } from '@tanstack/react-router';
import { readLatLong } from '#/core/place.ts';
import type { ParkFilterSearch } from '#/features/park-lists/park-filters.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import { HomeScreen } from '#/screens/home/home-screen.tsx';

interface HomeSearch extends ParkFilterSearch {
  lat?: number | undefined;
  long?: number | undefined;
  park?: number | undefined;
  keepMap?: true | undefined;
}

export const Route = createFileRoute('/')({
  // ?lat=…&long=…: where the map should look; anything that is no place is ignored.
  // ?park=…: whose sheet is open, so that back closes it.
  // All else are filters, which screens/home/filters.tsx reads leniently.
  // ?keepMap=true: the sheet that saves the map on the device is open.
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
  // The worker fetches its parks while this route's own code is still on its way.
  loader: () => clusterClient().load(),
  component: HomeScreen,
});
