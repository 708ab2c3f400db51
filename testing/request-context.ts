// What a service knows of a request that a test hands to it without HTTP.
import type { RequestContext } from '#/host/lib/http.ts';
import { createLog } from '#/host/lib/log.ts';

export const contextOf = (request: Request, log = createLog('silent')): RequestContext => ({
  url: new URL(request.url),
  address: '',
  headers: Object.fromEntries(request.headers),
  loopback: true,
  log,
});
