// Renders the diary as an image of a phone screen's size, with the latest parks and the user's own dogs only.

const WIDTH = 1080;
const HEIGHT = 1920;
/** Maximum number of stamps, in two columns. */
const MOST = 6;
const RADIUS = 150;

interface Words {
  title: string;
  dogs: string;
  /** Latest stamp first. */
  stamps: readonly { park: string; first: string }[];
  direction: 'ltr' | 'rtl';
}

export async function diaryPicture({ title, dogs, stamps, direction }: Words): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures');
  const theme = getComputedStyle(document.documentElement);
  const colour = (name: string) => theme.getPropertyValue(name);

  const write = async (text: string, x: number, y: number, size: number, ink: string) => {
    context.font = `${size > 40 ? 600 : 400} ${size}px Rubik`;
    // Load the glyphs of scripts that the page has not used yet.
    await document.fonts.load(context.font, text);
    context.fillStyle = colour(ink);
    context.fillText(text, x, y, x === WIDTH / 2 ? WIDTH - 120 : WIDTH / 2 - 60);
  };
  const stamp = (x: number, y: number, tilt: number) => {
    context.save();
    context.translate(x, y);
    context.rotate(tilt);
    context.strokeStyle = context.fillStyle = colour('--park');
    context.lineWidth = 8;
    context.setLineDash([26, 16]);
    context.beginPath();
    context.arc(0, 0, RADIUS, 0, 2 * Math.PI);
    context.stroke();
    // Draw a paw: four toes and the pad.
    for (const [left, top, width, height] of PAW) {
      context.beginPath();
      context.ellipse(left, top, width, height, 0, 0, 2 * Math.PI);
      context.fill();
    }
    context.restore();
  };

  context.fillStyle = colour('--paper');
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.direction = direction;
  context.textAlign = 'center';
  await write(title, WIDTH / 2, 190, 84, '--ink');
  await write(dogs, WIDTH / 2, 280, 48, '--park');
  for (const [at, { park, first }] of stamps.slice(0, MOST).entries()) {
    const isFirst = at % 2 === 0;
    const x = WIDTH * (isFirst === (direction === 'ltr') ? 0.27 : 0.73);
    const y = 510 + Math.floor(at / 2) * 460;
    stamp(x, y, isFirst ? -0.14 : 0.1);
    await write(park, x, y + RADIUS + 70, 44, '--ink');
    await write(first, x, y + RADIUS + 120, 32, '--ink-soft');
  }
  await write('Packpark', WIDTH / 2, HEIGHT - 60, 40, '--ink-soft');
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture'))), 'image/png');
  });
}

const PAW = [
  [-66, -18, 22, 30],
  [-24, -64, 22, 32],
  [24, -64, 22, 32],
  [66, -18, 22, 30],
  [0, 40, 54, 44],
] as const;
