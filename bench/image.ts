// Benchmark: converts a 12-megapixel photo to a WebP of 1280 px with the host's code. Control: the library sharp alone, in the same
// run.
import sharp from 'sharp';
import type { Result } from './goals.ts';
import { importServerCode } from './lib/server-code.ts';
import { median, milliseconds, repeat } from './lib/statistics.ts';
import type * as imagesModule from '../server/src/host/storage/images.ts';

const [WIDTH, HEIGHT] = [4000, 3000];
const ROUNDS = 15;

/** Creates an image that is similar to a photo: soft shapes with grain. A flat image would be faster to encode. */
async function photo() {
  const shapes = Array.from({ length: 60 }, (_, index) => {
    const [x, y] = [(index * 997) % WIDTH, (index * 613) % HEIGHT];
    return `<circle cx="${x}" cy="${y}" r="${200 + ((index * 71) % 500)}" fill="hsl(${(index * 47) % 360} 45% 50%)" opacity=".5"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#587a4a"/>${shapes.join('')}</svg>`;
  const grain = await sharp({
    create: {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(Buffer.from(drawing))
    .blur(3)
    .composite([{ input: grain, blend: 'overlay' }])
    .flatten()
    .jpeg({ quality: 90 })
    .toBuffer();
}

export async function run(): Promise<Result | Result[]> {
  const { Images } = await importServerCode<typeof imagesModule>(
    'server/src/host/storage/images.ts',
  );
  const bytes = await photo();
  const load = () => Promise.resolve(bytes);
  const how = { width: 1280, height: null, resize: 'cover', quality: 80, format: 'webp' } as const;
  const images = new Images();
  const { data } = await images.transform(load, how);
  const medianOf = async (work: () => Promise<unknown>) =>
    median(await repeat(ROUNDS, () => milliseconds(work)));
  const ours = await medianOf(() => images.transform(load, how));
  const control = await medianOf(() => sharp(bytes).resize(1280).webp({ quality: 80 }).toBuffer());
  return [
    { goal: 'photo', figure: ours, control },
    { goal: 'photo size', figure: data.byteLength / 1000 },
  ];
}
