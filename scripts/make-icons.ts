// Draws every icon and splash of the web app and of both shells from app/icon-source.svg: `npx jiti scripts/make-icons.ts`. The results are committed.
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';

const APP = path.join(import.meta.dirname, '../app');
const BACKGROUND = '#1D7A4F';
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
const RES = 'android/app/src/main/res';
const XCASSETS = 'ios/App/App/Assets.xcassets';

/** The source is the whole icon: a square of the background with the paw on it. */
const source = await readFile(path.join(APP, 'icon-source.svg'), 'utf8');
const paw = source.replace(/<rect[^>]*\/>/, '');
const silhouette = paw.replaceAll(/fill="#[0-9A-F]{6}"/gi, 'fill="#FFFFFF"');

interface Picture {
  /** Below app/. */
  file: string;
  width: number;
  height: number;
  /** The part of the shorter side that the drawing takes: a mask may take all outside of it. */
  content: number;
  svg?: string;
  ground?: string | typeof CLEAR;
  /** The radius of the ground's corners as a part of its side; none: square. */
  corner?: number;
}

const WEB: Picture[] = [
  { file: 'icon-192.png', side: 192, content: 1 },
  { file: 'icon-512.png', side: 512, content: 1 },
  { file: 'maskable-512.png', side: 512, content: 0.8 },
  { file: 'apple-touch-180.png', side: 180, content: 0.9 },
].map(({ file, side, content }) => ({
  file: `public/icons/${file}`,
  width: side,
  height: side,
  content,
}));

/** Android's scale of a density-independent pixel. */
const DENSITIES = { mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 };

const ANDROID_ICONS: Picture[] = Object.entries(DENSITIES).flatMap(([density, scale]) =>
  [
    { file: `${RES}/mipmap-${density}/ic_launcher.png`, dp: 48, content: 1, corner: 0.18 },
    { file: `${RES}/mipmap-${density}/ic_launcher_round.png`, dp: 48, content: 0.9, corner: 0.5 },
    // Of an adaptive icon's 108 dp any mask leaves a circle of 66, which the paw fills; the colour beneath is a resource.
    {
      file: `${RES}/mipmap-${density}/ic_launcher_foreground.png`,
      dp: 108,
      content: 0.8,
      svg: paw,
      ground: CLEAR,
    },
    {
      file: `${RES}/drawable-${density}/ic_notification.png`,
      dp: 24,
      content: 1.2,
      svg: silhouette,
      ground: CLEAR,
    },
  ].map(({ dp, ...rest }) => ({ ...rest, width: dp * scale, height: dp * scale })),
);

const LANDSCAPES: [folder: string, width: number, height: number][] = [
  ['drawable', 480, 320],
  ['drawable-land-mdpi', 480, 320],
  ['drawable-land-hdpi', 800, 480],
  ['drawable-land-xhdpi', 1280, 720],
  ['drawable-land-xxhdpi', 1600, 960],
  ['drawable-land-xxxhdpi', 1920, 1280],
];

const SPLASHES: Picture[] = LANDSCAPES.flatMap(([folder, width, height]): typeof LANDSCAPES => [
  [folder, width, height],
  ...(folder === 'drawable'
    ? []
    : ([[folder.replace('land', 'port'), height, width]] satisfies typeof LANDSCAPES)),
])
  .map(([folder, width, height]) => ({ file: `${RES}/${folder}/splash.png`, width, height }))
  .concat(
    ['', '-1', '-2'].map((copy) => ({
      file: `${XCASSETS}/Splash.imageset/splash-2732x2732${copy}.png`,
      width: 2732,
      height: 2732,
    })),
  )
  .map((splash) => ({
    ...splash,
    content: splash.width === splash.height ? 0.16 : 0.36,
    svg: paw,
  }));

const IOS_ICON: Picture = {
  file: `${XCASSETS}/AppIcon.appiconset/AppIcon-512@2x.png`,
  width: 1024,
  height: 1024,
  content: 1,
};

async function draw({
  file,
  width,
  height,
  content,
  svg = source,
  ground = BACKGROUND,
  corner,
}: Picture) {
  const inner = Math.round(Math.min(width, height) * content);
  const picture = await sharp(Buffer.from(svg), { density: 600 })
    .resize(inner, inner)
    .extract(middle(inner, Math.min(inner, width), Math.min(inner, height)))
    .png()
    .toBuffer();
  const layers: OverlayOptions[] = [{ input: picture, gravity: 'centre' }];
  if (corner !== undefined)
    layers.push({
      input: Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${width * corner}"/></svg>`,
      ),
      blend: 'dest-in',
    });
  const isOpaque = ground === BACKGROUND && corner === undefined;
  const target = path.join(APP, file);
  await mkdir(path.dirname(target), { recursive: true });
  await sharp({ create: { width, height, channels: isOpaque ? 3 : 4, background: ground } })
    .composite(layers)
    .png({ palette: true, compressionLevel: 9 })
    .toFile(target);
}

/** The part in the middle of a square. */
function middle(side: number, width: number, height: number) {
  return {
    left: Math.floor((side - width) / 2),
    top: Math.floor((side - height) / 2),
    width,
    height,
  };
}

for (const picture of [...WEB, ...ANDROID_ICONS, ...SPLASHES, IOS_ICON]) await draw(picture);
