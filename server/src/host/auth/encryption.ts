// Secrets that must be read again (TOTP keys, provider tokens), encrypted so that a copy of the database does not show them.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Tokens } from '#/host/lib/tokens.ts';

const CIPHER = 'aes-256-gcm';

export function encrypt(tokens: Tokens, secret: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, tokens.derive('encrypted'), nonce);
  const content = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64');
}

/** The text that was encrypted; null when it was encrypted under another JWT_SECRET or changed since. */
export function decrypt(tokens: Tokens, encrypted: string): string | null {
  const bytes = Buffer.from(encrypted, 'base64');
  if (bytes.length < 28) return null;
  const decipher = createDecipheriv(CIPHER, tokens.derive('encrypted'), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
