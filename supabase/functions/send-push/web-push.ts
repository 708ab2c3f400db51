// Sends pushes with Web Push: one encrypted message to a browser's push service, which must have a public IP address.
import { lookup, type LookupAddress } from 'node:dns';
import { request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import { base64url } from 'jose';
import * as v from 'valibot';
import { type Language, LANGUAGES } from '../../../shared/languages.ts';

export interface WebPush {
  /** The endpoint URL of the browser's subscription. */
  token: string;
  p256dh: string;
  auth: string;
  title: string;
  body: string;
  language: Language;
  /** The newest message of a topic replaces older ones, both at the service and on the screen. At most 32 base64url characters. */
  topic: string;
  /** Seconds for which the service may hold the message while the device is offline. */
  seconds: number;
  /** Messages of low urgency are shown without a sound. */
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

/** Returns true if the key is a point on the curve. Otherwise no message can be encrypted for it. */
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
/** Maximum lifetime that push services allow. */
const MAX_SECONDS = 86_400;

const PRIVATE_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`;
/** Parts of the global unicast range 2000::/3 that are not public: documentation, and tunnels that contain an IPv4 address. */
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

/**
 * Returns true if an IP address is on the public internet. Other addresses are rejected, because they may be in the operator's
 * internal network.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateV4.check(address, 'ipv4');
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

class NotPublic extends Error {}

/** Resolves the name when the connection is opened, so that it cannot resolve to another address after the check. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, '');
    const [first] = found;
    if (!first || found.some(({ address }) => !isPublicAddress(address)))
      return callback(new NotPublic(`${hostname} is not on a public address`), '');
    return options.all ? callback(null, found) : callback(null, first.address, first.family);
  });
};

/** Users choose the push service by registering a browser, so the Retry-After header is untrusted. */
function secondsOf(retryAfter: string | null | undefined): number | null {
  const seconds = Math.ceil(Number(retryAfter));
  return seconds > 0 ? Math.min(seconds, MAX_SECONDS) : null;
}

interface Sent {
  status: number;
  retryAfter: number | null;
}

/** Sends a POST over HTTPS, only to port 443 of a public IP address, and follows no redirects. */
const post = (
  url: URL,
  headers: Record<string, string>,
  body: Uint8Array<ArrayBuffer>,
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    if (url.protocol !== 'https:' || url.port !== '' || isIP(url.hostname.replace(/^\[|\]$/g, '')))
      throw new NotPublic(`${url.host} is no service by name on port 443`);
    const sending = request(
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
    sending.on('error', reject);
    sending.end(body);
  });

interface WebPushSender {
  /** Sends one message. A network failure is also returned as an outcome. */
  send(push: WebPush): Promise<Outcome>;
}

/**
 * @param key the site's private key as a JWK (VAPID)
 * @param contact where a push service can reach the operator: a mailto: or https: URL
 * @param instead for tests, a URL that receives all messages under /host/path
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
  /** Services that did not respond in this run, so that later messages do not wait for them again. */
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
          // The format of Declarative Web Push: browsers that support it show the message directly; in others, the service worker
          // shows it.
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
        // 401 and 403 mean that the subscription was created with an earlier key of the site.
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
