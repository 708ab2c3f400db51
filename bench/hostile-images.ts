// Benchmark: a user uploads the most expensive allowed images and requests renditions of them. Measures the memory, and the
// thumbnails and uploads of another user. Control: the same thumbnails and uploads without that load.
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import sharp, { type Sharp } from 'sharp';
import type { Result } from './goals.ts';
import { openPool, startBenchHost, type BenchHost } from './lib/bench-host.ts';
import { underLoad } from './lib/load.ts';
import { tokenOf } from './lib/users.ts';
import { percentile } from './lib/statistics.ts';

const SECONDS = 60;
/** More than one user's quota. Even more uploads would only be rejected. */
const UPLOADS_AT_ONCE = 6;
const COPIES_AT_ONCE = 9;

interface TestUser {
  token: string;
  address: string;
}

/**
 * Returns noise that repeats every 64 pixels. It is as expensive to decode as other noise, but the file is small enough to be
 * accepted.
 */
async function noise(width: number, height: number): Promise<Sharp> {
  const tile = await sharp({
    create: {
      width: 64,
      height: 64,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#fff' } }).composite([
    { input: tile, tile: true },
  ]);
}

/** Returns the largest accepted image of each format (see `bytesPerPixel` in the host). */
async function worstImages(): Promise<Map<string, Buffer>> {
  const frame = await (await noise(340, 340)).raw().toBuffer();
  const frames = Buffer.concat(
    Array.from({ length: 20 }, (_, index) => frame.map((b) => b ^ index)),
  );
  const images: Record<string, Sharp> = {
    avif: (await noise(2580, 2580)).avif({
      quality: 30,
      effort: 0,
      chromaSubsampling: '4:4:4',
    }),
    jpeg: (await noise(4060, 4060)).jpeg({
      quality: 10,
      progressive: true,
      chromaSubsampling: '4:4:4',
    }),
    png: (await noise(3160, 3160)).ensureAlpha().toColourspace('rgb16').png({ progressive: true }),
    webp: (await noise(4890, 4890)).webp({ lossless: true, effort: 0 }),
    animation: sharp(frames, {
      raw: { width: 340, height: 340 * 20, channels: 3, pageHeight: 340 },
    }).webp({ quality: 20, effort: 0 }),
  };
  const made = new Map<string, Buffer>();
  for (const [name, image] of Object.entries(images)) made.set(name, await image.toBuffer());
  return made;
}

/** Returns the proportional set size of the host and its child processes in MB, which counts shared pages once. */
function residentMegabytes(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)))
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process may have ended in the meantime.
    }
  const belongs = (one: number): boolean => {
    const parent = parents.get(one);
    return one === pid || (parent !== undefined && parent > 1 && belongs(parent));
  };
  let sum = 0;
  for (const one of [...parents.keys()].filter(belongs))
    try {
      const text = readFileSync(`/proc/${one}/smaps_rollup`, 'utf8');
      sum += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) / 1000;
    } catch {
      // The process may have ended in the meantime.
    }
  return sum;
}

const headersOf = ({ token, address }: TestUser) => ({
  authorization: `Bearer ${token}`,
  'x-forwarded-for': address,
});

async function upload(host: BenchHost, user: TestUser, name: string, bytes: Buffer) {
  const response = await fetch(`${host.url}/storage/v1/object/bench/${name}`, {
    method: 'POST',
    headers: { ...headersOf(user), 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Loads thumbnails and uploads photos as one user, one after the other. Returns the milliseconds of each. */
async function watch(host: BenchHost, user: TestUser, photo: Buffer, seconds: number) {
  const times = { thumbnails: [] as number[], uploads: [] as number[] };
  const stored = `photo-${randomUUID()}.jpg`;
  if ((await upload(host, user, stored, photo)) !== 200) throw new Error('The photo was refused');
  const end = performance.now() + seconds * 1000;
  for (let index = 0; performance.now() < end; index += 1) {
    // Each width needs a new rendition.
    const width = 100 + (index % 1500);
    let began = performance.now();
    const response = await fetch(
      `${host.url}/storage/v1/render/image/authenticated/bench/${stored}?width=${width}`,
      { headers: headersOf(user) },
    );
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`A thumbnail answered ${response.status}`);
    times.thumbnails.push(performance.now() - began);
    if (index % 3 === 0) {
      began = performance.now();
      const status = await upload(host, user, `${randomUUID()}.jpg`, photo);
      if (status !== 200) throw new Error(`An upload answered ${status}`);
      times.uploads.push(performance.now() - began);
    }
    await delay(50);
  }
  return times;
}

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost({ DEMO: 'false', TRUST_PROXY: 'true' });
  const database = openPool(host);
  await database.query(`
    insert into storage.buckets (id, name, file_size_limit) values ('bench', 'bench', 5242880);
    create policy "all" on storage.objects to authenticated
      using (bucket_id = 'bench') with check (bucket_id = 'bench')`);
  const [attacker, other] = [
    { token: await tokenOf(randomUUID()), address: '192.0.2.1' },
    { token: await tokenOf(randomUUID()), address: '192.0.2.2' },
  ];
  const photo = await (await noise(1600, 1200)).jpeg({ quality: 50 }).toBuffer();
  const images = await worstImages();
  const calm = await watch(host, other, photo, SECONDS / 2);
  const before = residentMegabytes(host.pid);

  for (const [name, bytes] of images) {
    const status = await upload(host, attacker, `worst-${name}`, bytes);
    if (status !== 200) throw new Error(`${name} (${bytes.length} bytes) answered ${status}`);
  }
  let peak = before;
  let uploaded = 0;
  const worst = [...images.values()];
  const uploads = Array.from({ length: UPLOADS_AT_ONCE }, (_, worker) => async (turn: number) => {
    const bytes = worst[(worker + turn) % worst.length] ?? Buffer.alloc(0);
    if ((await upload(host, attacker, randomUUID(), bytes)) === 200) uploaded += 1;
  });
  const copies = Array.from({ length: COPIES_AT_ONCE }, (_, worker) => async (turn: number) => {
    const width = 1000 + ((turn * COPIES_AT_ONCE + worker) % 600);
    const url = `${host.url}/storage/v1/render/image/authenticated/bench/worst-png?width=${width}`;
    await (await fetch(url, { headers: headersOf(attacker) })).arrayBuffer();
  });
  const look = async () => {
    peak = Math.max(peak, residentMegabytes(host.pid));
    await delay(30);
  };
  const attacked = await underLoad([...uploads, ...copies, look], () =>
    watch(host, other, photo, SECONDS),
  );

  const of = (what: keyof typeof calm) => ({
    figure: percentile(attacked[what], 0.99),
    control: percentile(calm[what], 0.99),
  });
  return [
    {
      goal: 'memory under images',
      figure: peak - before,
      note: `${uploaded} uploads in ${SECONDS} s`,
    },
    { goal: 'thumbnail under images', ...of('thumbnails') },
    { goal: 'upload under images', ...of('uploads') },
  ];
}
