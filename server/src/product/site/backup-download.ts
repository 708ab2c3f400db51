// Encrypts a backup for download in the browser, without the secrets.
import { createCipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, createGzip } from 'node:zlib';
import { SECRETS } from '#/product/secrets.ts';

const ITERATIONS = 600_000;

/** Encrypts in the format of `openssl enc -aes-256-cbc -pbkdf2 -iter 600000`, so that operators can decrypt it without Packpark. */
export async function encryptBackup(file: string, passphrase: string): Promise<ReadableStream> {
  const { extract, pack: createPack } = await import('tar-stream');
  const salt = randomBytes(8);
  const derived = await promisify(pbkdf2)(passphrase, salt, ITERATIONS, 48, 'sha256');
  const cipher = createCipheriv('aes-256-cbc', derived.subarray(0, 32), derived.subarray(32));
  const pack = createPack();
  const unpack = extract();
  unpack.on('entry', (header, stream, next) => {
    if (SECRETS.some(([name]) => header.name === name)) stream.on('end', next).resume();
    else stream.pipe(pack.entry(header, next));
  });
  unpack.on('finish', () => pack.finalize());
  pipeline(createReadStream(file), createGunzip(), unpack).catch((error: Error) =>
    pack.destroy(error),
  );
  const encrypted = pack.pipe(createGzip()).pipe(cipher);
  pack.on('error', (error) => cipher.destroy(error));
  return Readable.toWeb(
    Readable.from(
      (async function* () {
        yield Buffer.concat([Buffer.from('Salted__'), salt]);
        yield* encrypted;
      })(),
    ),
  ) as ReadableStream;
}
