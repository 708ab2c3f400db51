// A loopback server of raster tiles, because a map without them is laid out differently.
import sharp from 'sharp';
import { serveBaseline } from './baseline-server.ts';

/** Starts a server whose tiles have the average size of openstreetmap.org's tiles. Returns its TILE_URL. */
export async function startTiles(): Promise<string> {
  const noise = await sharp({
    create: {
      width: 256,
      height: 256,
      channels: 3,
      background: '#e8ead8',
      noise: { type: 'gaussian', mean: 225, sigma: 4 },
    },
  })
    .png({ palette: true, colours: 16 })
    .toBuffer();
  const headers = { 'content-type': 'image/png', 'cache-control': 'max-age=3600' };
  return `${await serveBaseline(headers, noise)}{z}/{x}/{y}.png`;
}
