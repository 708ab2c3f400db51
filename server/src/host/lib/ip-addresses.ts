// The client's IP address, and the subject under which rate limits count it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Returns true for host names of this machine as URLs and `Host` write them, such as `[::1]:3000`. */
export const isLoopbackName = (host: string): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

export const isLoopback = (ip: string): boolean => LOOPBACK.test(ip);

/**
 * The client's IP: that of the socket, or behind our own proxy the last one in X-Forwarded-For, which the proxy added.
 * @param trustProxy true if there is such a proxy; otherwise the client controls the header
 */
export function clientIp(incoming: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? String(incoming.headers['x-forwarded-for'] ?? '') : '';
  return forwarded.split(',').at(-1)?.trim() || (incoming.socket.remoteAddress ?? '');
}

/** The rate-limit subject of an IP: for IPv6 its /64 network, which usually belongs to one customer. */
export function ipSubject(ip: string): string {
  const [bare = ''] = ip.split('%');
  if (!isIPv6(bare)) return bare;
  // An IPv4 address at the end represents two groups. In the IPv4-mapped form it alone identifies the client.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = bare.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}

/** The client's headers for code that limits by IP. Values that the client sent for the IP are overwritten. */
export function headersWithIp(headers: IncomingHttpHeaders, ip: string): Record<string, string> {
  // Only `set-cookie` is a list, and requests do not have it.
  const all = { ...(headers as Record<string, string>), 'x-forwarded-for': ip };
  if ('cf-connecting-ip' in all) delete all['cf-connecting-ip'];
  return all;
}
