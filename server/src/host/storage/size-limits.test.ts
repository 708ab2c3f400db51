// Tests the check before an image is decoded, which depends on the memory per pixel of its format.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import sharp, { type Sharp } from 'sharp';
import { imageTypeOf } from '#/host/storage/images.ts';
import type { ImageResult } from '#/host/storage/image-job.ts';
import { workOnImage } from '#/host/storage/convert-image.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

const folder = temporaryFolder();

const draw = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#7a5' } });

async function clean(image: Sharp): Promise<ImageResult> {
  const file = path.join(folder, 'image');
  await writeFile(file, await image.toBuffer());
  return workOnImage({ type: 'clean', file });
}

const costly = { rejected: 'too costly' };

test.each([
  ['an AVIF of 7 megapixels', () => draw(2800, 2500).avif({ effort: 0 })],
  [
    'a JPEG in several scans of 20 megapixels',
    () => draw(5000, 4000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  ],
  ['a PNG of 24 megapixels and four channels', () => draw(6000, 4000, 4).png()],
  ['a JPEG of 64 megapixels', () => draw(8000, 8000).jpeg()],
])('%s is rejected', async (_what, image) => {
  expect(await clean(image())).toEqual(costly);
});

test.each([
  ['an AVIF of 6.5 megapixels', () => draw(2600, 2500).avif({ effort: 0 }), 'image/webp'],
  ['a JPEG of 49 megapixels', () => draw(7000, 7000).jpeg(), 'image/jpeg'],
  ['a PNG of 12 megapixels', () => draw(4000, 3000).png(), 'image/png'],
])('%s is reduced to the size that is shown', async (_what, image, mimetype) => {
  const made = await clean(image());
  expect(made).toMatchObject({ mimetype });
  const { width, height } = await sharp('data' in made ? made.data : undefined).metadata();
  expect(Math.max(width, height)).toBe(1600);
});

test('an animation with 3 megapixels in total is rejected', async () => {
  const [width, pageHeight, frames] = [400, 400, 20];
  const pixels = Buffer.alloc(width * pageHeight * frames * 3, 1);
  for (let frame = 0; frame < frames; frame += 1)
    pixels.fill(frame * 10, frame * width * pageHeight * 3, (frame + 1) * width * pageHeight * 3);
  const raw = { width, height: pageHeight * frames, channels: 3 as const, pageHeight };
  expect(await clean(sharp(pixels, { raw }).webp())).toEqual(costly);
});

test('a stored image that is too costly is not decoded for a rendition either', async () => {
  const bytes = await draw(4000, 3000).avif({ effort: 0 }).toBuffer();
  const how = { width: 100, height: null, resize: 'cover', quality: 80, format: 'webp' } as const;
  expect(await workOnImage({ type: 'transform', bytes, how })).toEqual(costly);
});

test('an image is detected by its first bytes, and a text is not an image', async () => {
  for (const type of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const)
    expect(imageTypeOf(await draw(8, 8).toFormat(type).toBuffer())).toBe(`image/${type}`);
  for (const text of ['', 'GIF, they say', '<svg xmlns="http://www.w3.org/2000/svg"/>', '{"a":1}'])
    expect(imageTypeOf(Buffer.from(text))).toBeNull();
});
