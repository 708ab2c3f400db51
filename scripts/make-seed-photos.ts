// Draws the demo's pictures (our own illustrations) and writes them to supabase/seed/photos/<bucket> as WebP.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { portrait, type Portrait } from './seed-photos/portraits.ts';
import { scene, type Park } from './seed-photos/scenes.ts';
import { COLOURS, type Ears, type Pose, type Tree } from './seed-photos/shapes.ts';

const TARGET = path.resolve(import.meta.dirname, '../supabase/seed/photos');
const LARGEST = 40_000;

/** `more` is how many pictures there are besides the primary one. */
type WithMore<Subject> = Subject & { more: number };

const park = (
  id: number,
  far: Park['far'],
  trees: string,
  ground: string,
  fence: Park['fence'],
  facilities: boolean | null,
  more = 0,
): WithMore<Park> => ({
  id,
  far,
  trees: trees.split(' ').filter(Boolean) as Tree[],
  ground: ground.split(' '),
  fence,
  facilities,
  more,
});

/** What each park of supabase/seed.sql looks like. */
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

const dog = (
  id: number,
  owner: number,
  pose: Pose,
  coat: string,
  ears: Ears,
  collar: string = COLOURS.ball,
  more = 0,
): WithMore<Portrait> & { owner: number } => ({
  id,
  owner,
  pose,
  coat,
  ears,
  collar,
  more,
});

/** What each dog of supabase/seed.sql looks like. */
const DOGS = [
  dog(1, 1, 'stand', '#D9B07A', 'prick', COLOURS.alert, 1),
  dog(2, 1, 'bow', '#A86B45', 'floppy', COLOURS.sky),
  dog(3, 2, 'sit', '#5A3A28', 'floppy', COLOURS.ball, 1),
  dog(4, 3, 'stand', '#F4EEE2', 'floppy', COLOURS.alert),
  dog(5, 4, 'sit', '#D9A566', 'floppy', COLOURS.park, 1),
  dog(6, 5, 'run', '#3D3A3A', 'prick', COLOURS.ball),
  dog(7, 6, 'stand', '#C98F56', 'floppy', COLOURS.sky),
  dog(8, 7, 'sit', '#8E857B', 'prick', COLOURS.alert),
  dog(9, 8, 'sit', '#8A5A3B', 'floppy', COLOURS.park),
  dog(10, 9, 'stand', '#7A5C3E', 'prick', COLOURS.ball),
  dog(11, 10, 'bow', '#E8CFA4', 'prick', COLOURS.sky),
  dog(12, 11, 'sit', '#DDBF94', 'floppy', COLOURS.alert),
  dog(13, 12, 'stand', '#A9B0B5', 'prick', COLOURS.park),
  dog(14, 13, 'run', '#9A8F86', 'floppy', COLOURS.ball),
  dog(15, 14, 'stand', '#B4603A', 'floppy', COLOURS.sky),
];

const idOf = (prefix: string, n: number) =>
  `00000000-0000-4000-8000-00000000${prefix}${String(n).padStart(2, '0')}`;
const folders = [
  ...PARKS.map((each) => ({
    path: `parks/${each.id}`,
    more: each.more,
    draw: (shot: number) => scene(each, shot),
  })),
  ...DOGS.map((each) => ({
    path: `users/${idOf('00', each.owner)}/dogs/${idOf('01', each.id)}`,
    more: each.more,
    draw: (shot: number) => portrait(each, shot),
  })),
];

let bytes = 0;
let pictures = 0;
await rm(TARGET, { recursive: true, force: true });
for (const { path: place, more, draw } of folders)
  for (let shot = 0; shot <= more; shot += 1) {
    const folder = path.join(TARGET, place, shot === 0 ? 'primary' : 'other');
    await mkdir(folder, { recursive: true });
    const file = await sharp(Buffer.from(draw(shot)))
      .webp({ quality: 82, effort: 6 })
      .toBuffer();
    if (file.length > LARGEST)
      throw new Error(`${place}, picture ${shot}: ${file.length} bytes are too many.`);
    await writeFile(path.join(folder, shot === 0 ? 'primary-1.webp' : `scene-${shot}.webp`), file);
    bytes += file.length;
    pictures += 1;
  }
console.log(`${pictures} pictures, ${Math.round(bytes / pictures / 1000)} KB each on average`);
