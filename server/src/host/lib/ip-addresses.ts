// The address of a client, and the subject that rate limits count it as.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** The host of an address of this machine itself, as URLs and `Host` write it: `[::1]:3000` is one. */
export const isLoopbackName = (host: string): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

export const isLoopback = (ip: string): boolean => LOOPBACK.test(ip);

/**
 * The client's address: the socket's, or behind a proxy of ours the last one in X-Forwarded-For, which that proxy added.
 * @param trustProxy whether there is such a proxy; otherwise the client controls the header
 */
export function clientIp(incoming: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? String(incoming.headers['x-forwarded-for'] ?? '') : '';
  return forwarded.split(',').at(-1)?.trim() || (incoming.socket.remoteAddress ?? '');
}

/** The subject of an address: itself, or for IPv6 its /64 network, which one customer usually has for themselves. */
export function ipSubject(ip: string): string {
  const [bare = ''] = ip.split('%');
  if (!isIPv6(bare)) return bare;
  // An IPv4 address at the end stands for two groups; in the mapped form it is all that tells people apart.
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

/** The caller's headers for code that limits by address: what the caller says of it does not count. */
export function headersWithIp(headers: IncomingHttpHeaders, ip: string): Record<string, string> {
  // Only `set-cookie`, which no request has, is a list.
  const all = { ...(headers as Record<string, string>), 'x-forwarded-for': ip };
  if ('cf-connecting-ip' in all) delete all['cf-connecting-ip'];
  return all;
}
