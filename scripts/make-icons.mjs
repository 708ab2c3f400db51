// Draws every icon of the installed app from app/icon-source.svg: `node scripts/make-icons.mjs`. The results are committed.
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';

const APP = path.join(import.meta.dirname, '../app');
const BACKGROUND = '#1D7A4F';

/** `content` is the part of the side that the picture takes: a maskable icon may lose all outside 80 %. */
const ICONS = [
  { file: 'icon-192.png', side: 192, content: 1 },
  { file: 'icon-512.png', side: 512, content: 1 },
  { file: 'maskable-512.png', side: 512, content: 0.8 },
  { file: 'apple-touch-180.png', side: 180, content: 0.9 },
];

const source = await readFile(path.join(APP, 'icon-source.svg'));
await mkdir(path.join(APP, 'public/icons'), { recursive: true });
for (const { file, side, content } of ICONS) {
  const inner = Math.round(side * content);
  const picture = await sharp(source, { density: 600 }).resize(inner, inner).png().toBuffer();
  await sharp({ create: { width: side, height: side, channels: 3, background: BACKGROUND } })
    .composite([{ input: picture, gravity: 'centre' }])
    .png({ palette: true, compressionLevel: 9 })
    .toFile(path.join(APP, 'public/icons', file));
}
