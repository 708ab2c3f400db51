// The client's IP address, and the subject under which rate limits count it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Returns true for names of this machine as in URLs and the `Host` header, such as `[::1]:3000`. */
export const isLoopbackName = (host: string): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

export const isLoopback = (ip: string): boolean => LOOPBACK.test(ip);

/**
 * Returns the client's IP: that of the socket, or behind a trusted proxy the last one in X-Forwarded-For, which the proxy added.
 * @param trustProxy true if there is such a proxy; otherwise the client controls the header
 */
export function clientIp(incoming: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? String(incoming.headers['x-forwarded-for'] ?? '') : '';
  return forwarded.split(',').at(-1)?.trim() || (incoming.socket.remoteAddress ?? '');
}

const hexGroups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));

/** Returns the eight groups of an IPv6 address. An IPv4 address at its end counts as two groups. */
function groupsOf(ipv6: string): number[] {
  const text = ipv6.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      [
        [a, b],
        [c, d],
      ]
        .map(([high, low]) => (Number(high) * 256 + Number(low)).toString(16))
        .join(':'),
  );
  const [head = '', tail] = text.split('::');
  const [first, last] = [hexGroups(head), hexGroups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array.from({ length: zeros }, () => 0), ...last];
}

/**
 * Returns the subject under which rate limits count an IP. For IPv6 this is the /64 network, which usually belongs to one customer.
 * All formats that proxies write are supported, also with a port.
 */
export function ipSubject(ip: string): string {
  const [, inBrackets, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip) ?? [];
  const [bare = ''] = (inBrackets ?? withPort ?? ip).split('%');
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  // If the address is IPv4-mapped, only the IPv4 address identifies the client.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/**
 * Returns the client's headers for code that limits requests by IP. Headers in which the client may have sent a false IP are
 * overwritten.
 */
export function headersWithIp(headers: IncomingHttpHeaders, ip: string): Record<string, string> {
  // The cast is safe, because only `set-cookie` is a list and requests do not have it. The header contains the subject instead of
  // the IP, so that limits in SQL and in this process count the same clients together.
  const all = { ...(headers as Record<string, string>), 'x-forwarded-for': ipSubject(ip) };
  if ('cf-connecting-ip' in all) delete all['cf-connecting-ip'];
  return all;
}
