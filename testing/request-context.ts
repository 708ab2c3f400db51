// The context of a request that a test passes to a service without HTTP.
import type { RequestContext } from '#/host/lib/http.ts';
import { createLog } from '#/host/lib/log.ts';

export const contextOf = (request: Request, log = createLog('silent')): RequestContext => ({
  url: new URL(request.url),
  ip: '',
  headers: Object.fromEntries(request.headers),
  loopback: true,
  log,
});
