// A fake push service of browsers on loopback. It issues subscriptions, verifies the sender of a push, and decrypts the push as a
// browser would.
import {
  createDecipheriv,
  createECDH,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { importJWK, jwtVerify, type JWK, type JWTPayload } from 'jose';
import { startStubService, type StubService } from './stub-service.ts';

export interface Browser {
  /** The subscription that the browser registers, as JSON. */
  token: string;
  /** Returns the pushes received so far, in order, decrypted for this browser and verified with the site's key. */
  received: () => Promise<ReceivedPush[]>;
}

interface ReceivedPush {
  headers: { ttl: string; urgency: string; topic: string };
  signedBy: JWTPayload;
  message: {
    web_push: number;
    app_badge: number;
    notification: Record<'title' | 'body' | 'navigate' | 'lang' | 'dir' | 'tag', string>;
  };
}

interface WebPushService extends StubService {
  /** Settings with which a host sends its pushes to this service. */
  settings: { VAPID_KEY: string; WEB_PUSH_URL: string };
  /** @param host the push service to which the browser belongs */
  browser: (host?: string) => Browser;
}

/** Starts a service that accepts every push with 201. A test can replace `respond`. */
export async function startWebPushService(): Promise<WebPushService> {
  const service = await startStubService(() => ({ status: 201, body: {} }));
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const site = await importJWK(publicKey.export({ format: 'jwk' }) as JWK, 'ES256');

  function browser(host = 'push.example.org'): Browser {
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    const auth = randomBytes(16);
    const endpoint = `https://${host}/${randomBytes(12).toString('hex')}`;

    /** Decrypts a push (RFC 8291). */
    function decrypt(body: Buffer): string {
      const salt = body.subarray(0, 16);
      const senders = body.subarray(21, 21 + body.readUInt8(20));
      const derive = (secret: Buffer, salted: Buffer, info: Buffer | string, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, salted, info, length));
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senders]);
      const secret = derive(keys.computeSecret(senders), auth, info, 32);
      const decipher = createDecipheriv(
        'aes-128-gcm',
        derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
        derive(secret, salt, 'Content-Encoding: nonce\0', 12),
      );
      const sealed = body.subarray(21 + senders.length);
      decipher.setAuthTag(sealed.subarray(-16));
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return padded.subarray(0, padded.lastIndexOf(2)).toString();
    }

    return {
      token: JSON.stringify({
        endpoint,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
      }),
      received: () =>
        Promise.all(
          service.requests
            .filter(({ url }) => `https:/${url.pathname}` === endpoint)
            .map(async ({ headers, bytes }) => {
              const jwt =
                /^(?:vapid t=|WebPush )([\w.-]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
              const { payload } = await jwtVerify(jwt, site, { audience: `https://${host}` });
              return {
                headers: {
                  ttl: String(headers.ttl),
                  urgency: String(headers.urgency),
                  topic: String(headers.topic),
                },
                signedBy: payload,
                message: JSON.parse(decrypt(bytes)) as ReceivedPush['message'],
              };
            }),
        ),
    };
  }
  // Changes the service itself instead of a copy, so that a replaced `respond` takes effect in the server.
  return Object.assign(service, {
    settings: {
      VAPID_KEY: JSON.stringify(privateKey.export({ format: 'jwk' })),
      WEB_PUSH_URL: service.url,
    },
    browser,
  });
}
