// Draws the demo's pictures (our own illustrations) and writes them to supabase/seed/photos as WebP, 960 × 640.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { scene } from './seed-photos/scenes.mjs';

const TARGET = path.resolve(import.meta.dirname, '../supabase/seed/photos');
const LARGEST = 40_000;

const park = (id, far, trees, ground, fence, facilities, more = 0) => ({
  id,
  far,
  trees: trees.split(' ').filter(Boolean),
  ground: ground.split(' '),
  fence,
  facilities,
  more,
});

/** What each park of supabase/seed.sql looks like; `more` is how many pictures besides the primary one. */
const PARKS = [
  park(1, 'city', 'eucalyptus round', 'GRASS DIRT', 'wood', true, 3),
  park(2, 'city', 'palm', 'SAND', 'mesh', true, 1),
  park(3, 'hills', 'round willow', 'GRASS', 'wood', true, 3),
  park(4, 'city', 'round', 'SYNTHETIC_GRASS', 'mesh', true, 1),
  park(5, 'city', 'olive round', 'DIRT', 'mesh', null),
  park(6, 'hills', 'willow eucalyptus', 'GRASS SAND', 'wood', false, 2),
  park(7, 'city', 'cypress', 'SAND DIRT', 'mesh', true, 1),
  park(8, 'hills', 'willow', 'GRASS DIRT', 'wood', true, 2),
  park(9, 'city', 'olive cypress', 'SYNTHETIC_GRASS', 'mesh', null),
  park(10, 'hills', 'round cypress', 'GRASS', 'wood', true, 2),
  park(11, 'city', '', 'SAND', 'mesh', false),
  park(12, 'city', 'round palm', 'GRASS SYNTHETIC_GRASS', 'mesh', true, 1),
  park(13, 'city', 'round', 'GRASS DIRT', 'wood', true, 2),
  park(14, 'city', 'palm round', 'SAND', 'mesh', true, 1),
  park(15, 'city', 'palm', 'SYNTHETIC_GRASS', 'mesh', true),
  park(16, 'sea', '', 'SAND', 'wood', false, 3),
  park(17, 'city', 'cypress olive', 'GRASS', 'wood', null),
  park(18, 'sea', 'round palm', 'DIRT SAND', 'wood', true, 1),
  park(19, 'sea', 'palm', 'GRASS SAND', 'wood', true, 2),
  park(20, 'hills', 'cypress', 'DIRT', 'mesh', false),
  park(21, 'hills', 'round eucalyptus', 'GRASS DIRT', 'wood', true, 1),
  park(22, 'city', 'olive round', 'GRASS', 'mesh', true),
  park(23, 'city', 'cypress', 'SAND', 'mesh', null),
  park(24, 'city', 'olive', 'SYNTHETIC_GRASS', 'mesh', true),
  park(25, 'hills', 'round', 'GRASS', 'wood', true),
  park(26, 'hills', 'round olive', 'GRASS DIRT', 'wood', true, 1),
  park(27, 'hills', 'cypress', 'DIRT', 'mesh', null),
  park(28, 'city', 'eucalyptus', 'GRASS SYNTHETIC_GRASS', 'mesh', true),
  park(29, 'city', 'round', 'GRASS SAND', 'wood', true, 1),
  park(30, 'sea', 'palm', 'SAND', 'mesh', true, 1),
  park(31, 'city', 'olive', 'SYNTHETIC_GRASS', 'mesh', false),
  park(32, 'hills', 'round willow', 'GRASS', 'wood', true),
  park(33, 'hills', 'cypress round', 'DIRT GRASS', 'wood', null),
  park(34, 'city', 'round palm', 'GRASS', 'mesh', true),
  park(35, 'city', 'eucalyptus', 'GRASS DIRT SAND', 'wood', true, 1),
  park(36, 'dunes', '', 'SAND DIRT', 'wood', true, 1),
  park(37, 'city', 'round cypress', 'SYNTHETIC_GRASS', 'mesh', true),
  park(38, 'hills', 'round', 'GRASS', 'wood', true),
  park(39, 'hills', 'olive', 'DIRT', 'wood', null, 1),
  park(40, 'city', '', 'DIRT', 'mesh', null),
];

let bytes = 0;
let pictures = 0;
const only = process.argv[2] ? process.argv[2].split(',').map(Number) : null;
if (!only) await rm(TARGET, { recursive: true, force: true });
for (const one of PARKS) {
  if (only && !only.includes(one.id)) continue;
  for (let shot = 0; shot <= one.more; shot += 1) {
    const folder = path.join(TARGET, String(one.id), shot === 0 ? 'primary' : 'other');
    await mkdir(folder, { recursive: true });
    const file = await sharp(Buffer.from(scene(one, shot)))
      .webp({ quality: 82, effort: 6 })
      .toBuffer();
    if (file.length > LARGEST)
      throw new Error(`Park ${one.id}, picture ${shot}: ${file.length} bytes are too many.`);
    await writeFile(path.join(folder, shot === 0 ? 'primary-1.webp' : `scene-${shot}.webp`), file);
    bytes += file.length;
    pictures += 1;
  }
}
console.log(`${pictures} pictures, ${Math.round(bytes / pictures / 1000)} KB each on average`);
