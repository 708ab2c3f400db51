// GET route?from=LAT,LONG&to=LAT,LONG: the walking route, from a service with OSRM's API.
import * as v from 'valibot';
import { serviceClient } from '../_shared/clients.ts';
import { fetchExternal, degrees } from '../_shared/external-services.ts';
import { HttpError, json, serve } from '../_shared/serve.ts';
import { limitShare } from '../_shared/service-slots.ts';

/** For a public service, all our calls come from one caller, so no user may use up the limit. */
const PER_MINUTE_AND_ADDRESS = 20;

const routesSchema = v.object({
  routes: v.array(
    v.object({
      distance: v.number(),
      duration: v.number(),
      geometry: v.object({ coordinates: v.array(v.tuple([v.number(), v.number()])) }),
    }),
  ),
});

/**
 * Parses LAT,LONG to the order that OSRM expects, longitude first.
 * @throws HttpError 400
 */
function point(text: string | null): string {
  const [lat, long] = (text ?? '').split(',');
  return `${degrees(long, 180)},${degrees(lat, 90)}`;
}

serve('GET', async (request) => {
  const query = new URL(request.url).searchParams;
  const points = `${point(query.get('from'))};${point(query.get('to'))}`;
  const router = Deno.env.get('ROUTER_URL');
  if (!router) throw new HttpError(404, 'No routing service is set');
  await limitShare(serviceClient(), 'router', request, PER_MINUTE_AND_ADDRESS, '1 minute');
  const url = new URL(`${router.replace(/\/+$/, '')}/route/v1/foot/${points}`);
  url.search = 'overview=full&geometries=geojson';
  const result = v.safeParse(routesSchema, await fetchExternal(url));
  if (!result.success) throw new HttpError(503, 'The service is not available right now');
  const [route] = result.output.routes;
  if (!route) throw new HttpError(404, 'There is no way between these two points');
  return json({
    distance: route.distance,
    duration: route.duration,
    path: route.geometry.coordinates.map(([long, lat]) => [lat, long]),
  });
});
