// Colours of the vector map: theme tokens, resolved to values that a canvas in a worker can parse.
import './palette.css';

const NAMES = [
  'earth',
  'water',
  'park',
  'wood',
  'sand',
  'building',
  'fence',
  'street',
  'street-edge',
  'avenue',
  'path',
  'rail',
  'name',
  'name-soft',
  'name-park',
  'name-water',
  'halo',
  'tap',
] as const;

type PaletteName = (typeof NAMES)[number];
export type Palette = Record<PaletteName, string>;

/** Converts `color(srgb r g b)`, the computed value of color-mix(), to a form that every canvas can parse. */
function plain(colour: string): string {
  const parts = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/.exec(colour)?.slice(1);
  return parts ? `rgb(${parts.map((part) => Math.round(Number(part) * 255)).join(' ')})` : colour;
}

export function readPalette(): Palette {
  const probe = document.createElement('span');
  probe.className = 'map-palette';
  probe.hidden = true;
  document.body.append(probe);
  const entries = NAMES.map((name) => {
    probe.style.color = `var(--drawn-${name})`;
    return [name, plain(getComputedStyle(probe).color)];
  });
  probe.remove();
  return Object.fromEntries(entries) as Palette;
}

/** Calls back when colours may have changed: theme, contrast or forced colours. */
export function onPaletteChange(callback: () => void): () => void {
  const theme = new MutationObserver(callback);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const queries = ['(prefers-contrast: more)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  );
  for (const query of queries) query.addEventListener('change', callback);
  return () => {
    theme.disconnect();
    for (const query of queries) query.removeEventListener('change', callback);
  };
}
