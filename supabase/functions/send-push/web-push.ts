// Web Push: sends one encrypted message to a browser's push service, which must have a public IP address.
import { lookup, type LookupAddress } from 'node:dns';
import { request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import { base64url } from 'jose';
import * as v from 'valibot';
import { type Language, LANGUAGES } from '../../../shared/languages.ts';

export interface WebPush {
  /** The browser's endpoint at its push service. */
  token: string;
  p256dh: string;
  auth: string;
  title: string;
  body: string;
  language: Language;
  /** The newest message of a topic replaces older ones, at the service and on the screen. At most 32 base64url characters. */
  topic: string;
  /** How long the service may wait for the device. */
  seconds: number;
  /** Low is shown without a sound. */
  urgency: 'high' | 'normal' | 'low';
  /** The number on the app's icon. */
  unseen: number;
  url: string;
}

/** `retryAfter` in seconds, if the service returns one. */
export type Outcome =
  | { result: 'sent' | 'failed' | 'dead_token' }
  | { result: 'retry'; retryAfter: number | null };

const keySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ d: v.string(), x: v.string(), y: v.string() }),
);

/** Returns whether the key is a point on the curve; otherwise nothing can be encrypted for it. */
const isPoint = (key: string): Promise<boolean> =>
  crypto.subtle
    .importKey(
      'raw',
      Uint8Array.from(base64url.decode(key)),
      { name: 'ECDH', namedCurve: 'P-256' },
      false,
      [],
    )
    .then(
      () => true,
      () => false,
    );

const TIMEOUT_MS = 5000;
/** The maximum that push services allow. */
const MAX_SECONDS = 86_400;

const PRIVATE_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`;
/** Excluded from the global unicast addresses 2000::/3: documentation, and tunnels that contain an IPv4 address. */
const SPECIAL_V6 = ['2001::/32', '2001:db8::/32', '2002::/16'];

const listOf = (ranges: string[], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
};
const privateV4 = listOf(PRIVATE_V4.split(/\s+/), 'ipv4');
const globalV6 = listOf(['2000::/3'], 'ipv6');
const specialV6 = listOf(SPECIAL_V6, 'ipv6');

/** Returns whether an IP address is on the public internet, so that no request reaches the operator's own network. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateV4.check(address, 'ipv4');
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

class NotPublic extends Error {}

/** Resolves the name when connecting, so that it cannot resolve to another address afterwards. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, '');
    const [first] = found;
    if (!first || found.some(({ address }) => !isPublicAddress(address)))
      return callback(new NotPublic(`${hostname} is not on a public address`), '');
    return options.all ? callback(null, found) : callback(null, first.address, first.family);
  });
};

/** The user who registers a browser chooses the service, so its Retry-After header is untrusted. */
function secondsOf(retryAfter: string | null | undefined): number | null {
  const seconds = Math.ceil(Number(retryAfter));
  return seconds > 0 ? Math.min(seconds, MAX_SECONDS) : null;
}

interface Sent {
  status: number;
  retryAfter: number | null;
}

/** Posts over HTTPS on port 443 to a public IP address without following redirects. */
const post = (
  url: URL,
  headers: Record<string, string>,
  body: Uint8Array<ArrayBuffer>,
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    if (url.protocol !== 'https:' || url.port !== '' || isIP(url.hostname.replace(/^\[|\]$/g, '')))
      throw new NotPublic(`${url.host} is no service by name on port 443`);
    const asked = request(
      url,
      { method: 'POST', headers, lookup: lookupPublic, signal: AbortSignal.timeout(TIMEOUT_MS) },
      (response) => {
        response.destroy();
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: secondsOf(response.headers['retry-after']),
        });
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });

interface WebPushSender {
  /** Sends one message; a network failure is also an outcome. */
  send(push: WebPush): Promise<Outcome>;
}

/**
 * @param key the site's private key as a JWK (VAPID)
 * @param contact how a push service contacts the operator: a mailto: or https: URL
 * @param instead a URL that receives all messages instead of the services, under /host/path; for tests
 * @throws if the key is not JSON
 */
export function createWebPush(key: string, contact: string, instead?: string): WebPushSender {
  const { d, x, y } = v.parse(keySchema, key);
  const point = [Uint8Array.of(4), ...[x, y].map((part) => base64url.decode(part))];
  const vapid = {
    subject: contact,
    privateKey: d,
    publicKey: base64url.encode(Uint8Array.from(point.flatMap((part) => [...part]))),
  };
  /** Services that did not respond, so that other messages of the same run do not wait for them again. */
  const silent = new Set<string>();

  async function postTo(
    endpoint: URL,
    headers: Record<string, string>,
    body: Uint8Array<ArrayBuffer>,
  ) {
    if (instead === undefined) return post(endpoint, headers, body);
    const response = await fetch(`${instead}/${endpoint.host}${endpoint.pathname}`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { status: response.status, retryAfter: secondsOf(response.headers.get('retry-after')) };
  }

  return {
    async send({ token, p256dh, auth, title, body, language, topic, ...more }) {
      const { seconds, urgency, unseen, url } = more;
      if (!URL.canParse(token) || !(await isPoint(p256dh))) return { result: 'dead_token' };
      const endpoint = new URL(token);
      if (silent.has(endpoint.host)) return { result: 'retry', retryAfter: null };
      const { headers, body: sealed } = await buildPushPayload(
        {
          // Declarative Web Push: browsers that support it show this directly, in others the service worker does.
          data: {
            web_push: 8030,
            notification: {
              title,
              body,
              navigate: url,
              lang: language,
              dir: LANGUAGES[language].direction,
              tag: topic,
              ...(urgency === 'low' && { silent: true }),
            },
            app_badge: unseen,
          },
          options: {
            ttl: Math.min(seconds, MAX_SECONDS),
            topic,
            urgency,
          },
        },
        { endpoint: token, keys: { p256dh, auth }, expirationTime: null },
        vapid,
      );
      try {
        const { status, retryAfter } = await postTo(endpoint, headers, sealed);
        if (status >= 200 && status < 300) return { result: 'sent' };
        if (status === 429 || status >= 500) return { result: 'retry', retryAfter };
        // 401 and 403 mean that the subscription was created for a previous key of the site.
        return { result: [401, 403, 404, 410].includes(status) ? 'dead_token' : 'failed' };
      } catch (error) {
        if (error instanceof NotPublic) return { result: 'dead_token' };
        console.warn('Push: a service cannot be reached:', endpoint.host);
        silent.add(endpoint.host);
        return { result: 'retry', retryAfter: null };
      }
    },
  };
}
