// Checks how the host can be reached, and warns if settings do not match: links would lead to another host, or all users would share
// one rate limit.
import { isLoopbackName } from '#/host/lib/ip-addresses.ts';
import type { Settings } from '#/host/lib/host-settings.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** HOST contains an IPv6 address without brackets. */
const isLoopbackHost = (host: string) => isLoopbackName(host === '::1' ? '[::1]' : host);

/** Returns true if the site is local: its URL has a loopback name and no proxy is configured. */
export const isLocalSite = ({ SITE_URL, TRUST_PROXY }: Settings): boolean =>
  !TRUST_PROXY && (!SITE_URL || isLoopbackName(new URL(SITE_URL).host));

/** Returns true if only the local machine can reach the host and no setting indicates a public site. */
export function isOwnMachine(settings: Settings): boolean {
  const { NODE_ENV, HOST } = settings;
  return NODE_ENV !== 'production' && isLoopbackHost(HOST) && isLocalSite(settings);
}

/**
 * Rejects a public site without SITE_URL. Its links would contain this machine's host name. The app's configuration would contain
 * the Host header of the request, which a cache could serve to other users.
 * @throws StartError
 */
export function checkExposure({ NODE_ENV, SITE_URL }: Settings): void {
  if (NODE_ENV === 'production' && !SITE_URL)
    throw new StartError(
      'SITE_URL is not set: in production it must be the address that people use, such as https://www.example.org, or links lead to this machine’s own name.',
    );
}

export function exposureNotes(settings: Settings): string[] {
  const { HOST, SITE_URL, TRUST_PROXY } = settings;
  const open = !isLoopbackHost(HOST);
  const notes: string[] = [];
  if (!SITE_URL && (open || TRUST_PROXY))
    notes.push('SITE_URL is not set: links lead to this machine’s own name.');
  if (SITE_URL && !isLoopbackName(new URL(SITE_URL).host) && !TRUST_PROXY)
    if (!open || SITE_URL.startsWith('https:'))
      notes.push(
        'TRUST_PROXY is not true: people reach this host through a proxy, so all of them share one rate limit, and a few wrong passwords keep everybody out.',
      );
  if (TRUST_PROXY && open)
    notes.push(
      `TRUST_PROXY is true, and HOST lets other machines in: whoever reaches port ${settings.PORT} without the proxy can say to come from any address. Close the port to others, or set HOST to localhost.`,
    );
  return notes;
}
