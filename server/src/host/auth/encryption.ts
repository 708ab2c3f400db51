// Encrypts secrets that must be read again (TOTP keys, provider tokens), so that a copy of the database does not reveal them.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Tokens } from '#/host/lib/tokens.ts';

const CIPHER = 'aes-256-gcm';

export function encrypt(tokens: Tokens, secret: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, tokens.derive('encrypted'), nonce);
  const content = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64');
}

/** Returns the plain text; null if it was encrypted with another JWT_SECRET or has been changed. */
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
