// The codes of an authenticator app, for journeys with a second factor.
import { createHmac } from 'node:crypto';

/**
 * The six digits that an authenticator app shows (RFC 6238), of the half minute to come: they count already, and there is a
 * minute at least to send them.
 */
export function totp(secret: string): string {
  const bits = [...secret.replaceAll('=', '')]
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + 1));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
