// What the demo's pictures are put together from: dogs, trees, benches, fences, drawn as SVG in the colours of docs' palette.

export const COLOURS = {
  paper: '#FBF8F1',
  ink: '#1E2A25',
  park: '#1D7A4F',
  leaf: '#2F9463',
  mint: '#7CC29A',
  ball: '#DDF25A',
  sand: '#E9B872',
  dune: '#F3D9AE',
  earth: '#B98B5E',
  bark: '#6B4F3A',
  sky: '#3B7EA1',
  haze: '#BFDDE8',
  alert: '#C8412B',
};

/** A repeatable stand-in for chance: numbers from 0 to 1 that depend on the seed alone. */
export function chance(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The item at `index`, counted around the list: it has at least one. */
export const nth = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Mixes two #RRGGBB colours; 0 is all of the first. */
export function mix(a: string, b: string, share: number): string {
  const part = (colour: string, at: number) => parseInt(colour.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) =>
      Math.round(part(a, at) * (1 - share) + part(b, at) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

const at = (x: number, y: number, scale: number, flip: boolean, inner: string) =>
  `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${(flip ? -scale : scale).toFixed(3)} ${scale.toFixed(3)})">${inner}</g>`;

/** A leg from the hip over the knee ('x y x y') to the paw. */
const leg = (joints: string, paw: readonly [number, number], colour: string, width = 9) => {
  const [hipX, hipY, kneeX, kneeY] = joints.split(' ');
  return `<path d="M${hipX} ${hipY} Q${kneeX} ${kneeY} ${paw[0]} ${paw[1]}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"/>`;
};

export type Pose = 'stand' | 'run' | 'sit' | 'bow';
export type Ears = 'floppy' | 'prick';

/**
 * A dog seen from the side, paws on y = 0, looking to the right, about 100 wide and 80 high.
 * @param coat its colour
 */
export function dog(
  x: number,
  y: number,
  scale: number,
  flip: boolean,
  pose: Pose,
  coat: string,
  ears: Ears = 'floppy',
  collar: string = COLOURS.ball,
): string {
  const far = mix(coat, COLOURS.ink, 0.28);
  const light = mix(coat, '#ffffff', 0.35);
  const head = (
    hx: number,
    hy: number,
    turn = 0,
  ) => `<g transform="translate(${hx} ${hy}) rotate(${turn})">
    <path d="M-13 -6 C-13 -17 -2 -21 6 -17 C10 -15 12 -11 18 -9 C25 -8 27 -2 23 2 C19 6 11 6 6 8 C-3 12 -13 6 -13 -6 Z" fill="${coat}"/>
    <path d="M12 2 C17 3 22 2 24 0 C22 5 15 6 9 7 Z" fill="${light}"/>
    <ellipse cx="24" cy="-4.5" rx="3.4" ry="2.8" fill="${COLOURS.ink}"/>
    <circle cx="8" cy="-9" r="2" fill="${COLOURS.ink}"/>
    ${
      ears === 'floppy'
        ? `<path d="M-6 -16 C-15 -15 -18 -2 -13 5 C-9 8 -4 2 -3 -5 C-2 -10 -2 -15 -6 -16 Z" fill="${far}"/>`
        : `<path d="M-10 -12 L-10 -31 C-5 -28 1 -22 2 -17 Z" fill="${far}"/>`
    }
  </g>`;
  const tail = (d: string) =>
    `<path d="${d}" fill="none" stroke="${coat}" stroke-width="7" stroke-linecap="round"/>`;
  const band = (d: string) =>
    `<path d="${d}" fill="none" stroke="${collar}" stroke-width="5" stroke-linecap="round"/>`;
  const shadow = (cx: number, rx: number) =>
    `<ellipse cx="${cx}" cy="1" rx="${rx}" ry="5" fill="${COLOURS.ink}" opacity="0.16"/>`;
  const poses = {
    stand: `${shadow(46, 46)}
      ${leg('28 -30 28 -16', [30, -3], far)}${leg('66 -28 68 -14', [67, -3], far)}
      ${tail('M16 -46 C6 -52 4 -64 10 -72')}
      <path d="M14 -44 C16 -54 30 -56 46 -54 C58 -53 64 -60 70 -68 L86 -58 C84 -46 82 -38 76 -30 C66 -22 50 -26 38 -24 C26 -22 12 -28 14 -44 Z" fill="${coat}"/>
      ${leg('21 -34 16 -18', [20, -3], coat)}${leg('74 -34 76 -16', [75, -3], coat)}
      <path d="M60 -27 C66 -27 72 -29 76 -33 C74 -27 66 -24 60 -27 Z" fill="${light}"/>
      ${band('M69 -62 L84 -54')}${head(82, -66)}`,
    run: `${shadow(48, 56)}
      ${leg('24 -34 8 -30', [-8, -12], far)}${leg('72 -32 90 -30', [104, -14], far)}
      ${tail('M12 -48 C2 -52 -8 -50 -16 -56')}
      <path d="M10 -44 C14 -54 30 -55 48 -54 C60 -54 68 -58 76 -64 L90 -52 C88 -42 82 -34 74 -31 C62 -27 50 -31 38 -29 C24 -27 8 -30 10 -44 Z" fill="${coat}"/>
      ${leg('18 -38 4 -28', [-16, -22], coat)}${leg('78 -38 98 -34', [112, -26], coat)}
      ${band('M74 -58 L88 -49')}${head(92, -62, -6)}`,
    sit: `${shadow(40, 34)}
      ${tail('M18 -8 C6 -6 -2 -10 -6 -18')}
      <path d="M14 -8 C12 -26 26 -36 34 -50 C38 -58 42 -64 46 -68 L62 -60 C64 -48 62 -34 60 -22 C60 -12 52 -2 40 -1 C28 0 16 2 14 -8 Z" fill="${coat}"/>
      ${leg('52 -36 56 -18', [55, -3], far)}${leg('58 -36 63 -18', [62, -3], coat)}
      <path d="M16 -10 C16 -22 34 -24 38 -12 C40 -6 34 -2 28 -2 C20 -1 16 -4 16 -10 Z" fill="${far}"/>
      ${leg('26 -4 34 -3', [42, -3], coat, 7)}
      ${band('M46 -62 L61 -54')}${head(58, -68)}`,
    bow: `${shadow(48, 48)}
      ${leg('22 -36 22 -18', [24, -3], far)}
      ${tail('M14 -52 C8 -62 12 -72 20 -78')}
      <path d="M10 -46 C12 -58 28 -60 40 -50 C54 -42 66 -34 80 -34 L86 -20 C76 -10 62 -12 50 -18 C38 -24 30 -26 22 -28 C14 -30 9 -36 10 -46 Z" fill="${coat}"/>
      ${leg('17 -38 12 -20', [16, -3], coat)}${leg('66 -18 80 -6', [94, -4], coat)}${leg('60 -18 72 -4', [88, -3], far)}
      ${band('M77 -34 L84 -21')}${head(92, -32, 8)}`,
  };
  return at(x, y, scale, flip, poses[pose]);
}

export type Tree = 'round' | 'cypress' | 'eucalyptus' | 'palm' | 'willow' | 'olive';
type DrawTree = (x: number, y: number, scale: number, leaf: string) => string;

/** Trees stand with their foot on (x, y); `scale` 1 is about 200 high. */
export const TREES: Record<Tree, DrawTree> = {
  round(x, y, scale, leaf) {
    const shade = mix(leaf, COLOURS.ink, 0.18);
    const light = mix(leaf, COLOURS.ball, 0.22);
    return at(
      x,
      y,
      scale,
      false,
      `<path d="M-9 0 C-6 -40 -7 -60 -5 -90 L6 -90 C7 -60 6 -40 11 0 Z" fill="${COLOURS.bark}"/>
      <path d="M-4 -70 C-16 -86 -22 -90 -30 -94" stroke="${COLOURS.bark}" stroke-width="6" fill="none"/>
      <circle cx="-34" cy="-108" r="44" fill="${shade}"/><circle cx="36" cy="-112" r="46" fill="${shade}"/>
      <circle cx="0" cy="-142" r="54" fill="${leaf}"/><circle cx="-26" cy="-118" r="36" fill="${leaf}"/><circle cx="30" cy="-120" r="34" fill="${leaf}"/>
      <circle cx="16" cy="-160" r="24" fill="${light}" opacity="0.7"/><circle cx="-22" cy="-140" r="16" fill="${light}" opacity="0.5"/>`,
    );
  },
  cypress(x, y, scale, leaf) {
    return at(
      x,
      y,
      scale,
      false,
      `<rect x="-5" y="-26" width="10" height="26" fill="${COLOURS.bark}"/>
      <path d="M0 -230 C26 -170 34 -90 22 -24 C10 -14 -10 -14 -22 -24 C-34 -90 -26 -170 0 -230 Z" fill="${mix(leaf, COLOURS.ink, 0.25)}"/>
      <path d="M2 -224 C22 -168 28 -96 20 -30 C14 -90 10 -160 2 -224 Z" fill="${mix(leaf, COLOURS.ball, 0.1)}" opacity="0.8"/>`,
    );
  },
  eucalyptus(x, y, scale, leaf) {
    const grey = mix(leaf, '#9FB7A8', 0.45);
    return at(
      x,
      y,
      scale,
      false,
      `<path d="M-8 0 C-4 -60 -10 -110 0 -170 M0 -110 C14 -130 26 -140 34 -160 M-4 -84 C-18 -104 -26 -120 -40 -130" stroke="#D9CDBD" stroke-width="13" fill="none" stroke-linecap="round"/>
      <path d="M-4 -20 C0 -60 -6 -100 2 -150" stroke="${COLOURS.earth}" stroke-width="3" fill="none" opacity="0.5"/>
      <ellipse cx="-44" cy="-146" rx="38" ry="26" fill="${mix(grey, COLOURS.ink, 0.14)}"/><ellipse cx="40" cy="-176" rx="42" ry="28" fill="${mix(grey, COLOURS.ink, 0.1)}"/>
      <ellipse cx="0" cy="-206" rx="48" ry="30" fill="${grey}"/><ellipse cx="-24" cy="-176" rx="34" ry="20" fill="${grey}"/>
      <ellipse cx="12" cy="-214" rx="26" ry="13" fill="${mix(grey, COLOURS.ball, 0.3)}" opacity="0.8"/>`,
    );
  },
  palm(x, y, scale, leaf) {
    const frond = (angle: number, length: number) =>
      `<path d="M0 0 C${length * 0.3} -${length * 0.35} ${length * 0.8} -${length * 0.25} ${length} ${length * 0.22} C${length * 0.7} -${length * 0.02} ${length * 0.3} -${length * 0.06} 0 8 Z" transform="rotate(${angle})" fill="${angle % 40 === 0 ? leaf : mix(leaf, COLOURS.ink, 0.2)}"/>`;
    return at(
      x,
      y,
      scale,
      false,
      `<path d="M-9 0 C-2 -60 -6 -120 4 -186 L14 -186 C10 -120 12 -60 11 0 Z" fill="${mix(COLOURS.bark, COLOURS.sand, 0.3)}"/>
      <g transform="translate(9 -188)">${[-200, -170, -140, -110, -80, -50, -20, 10, 40].map((angle, index) => frond(angle + 20, 76 - (index % 3) * 8)).join('')}</g>`,
    );
  },
  willow(x, y, scale, leaf) {
    const light = mix(leaf, COLOURS.ball, 0.26);
    const shade = mix(leaf, COLOURS.ink, 0.12);
    // Curtains of leaves: long in the middle rows, shorter outside, over a round crown.
    const strands = Array.from({ length: 21 }, (_, i) => {
      const sx = -100 + i * 10;
      const top = -168 + (Math.abs(i - 10) / 10) ** 2 * 56;
      const end = -52 - ((i * 37) % 5) * 9 + (Math.abs(i - 10) < 3 ? -34 : 0);
      return `<path d="M${sx * 0.86} ${top} C${sx} ${top + 24} ${sx * 1.05} ${(top + end) / 2} ${sx} ${end}" stroke="${[leaf, light, shade][i % 3]}" stroke-width="15" fill="none" stroke-linecap="round"/>`;
    }).join('');
    return at(
      x,
      y,
      scale,
      false,
      `<path d="M-11 0 C-6 -50 -10 -90 -4 -140 L8 -140 C8 -90 8 -50 14 0 Z" fill="${COLOURS.bark}"/>
      <path d="M-96 -108 C-96 -172 -50 -206 0 -206 C50 -206 96 -172 96 -108 Z" fill="${shade}"/>${strands}
      <path d="M-70 -140 C-62 -182 -34 -198 4 -200 C40 -198 62 -178 70 -146 C40 -170 -34 -172 -70 -140 Z" fill="${light}" opacity="0.5"/>`,
    );
  },
  olive(x, y, scale, leaf) {
    const silver = mix(leaf, '#B9C7A8', 0.55);
    return at(
      x,
      y,
      scale,
      false,
      `<path d="M-16 0 C-4 -22 -20 -44 -6 -70 L10 -70 C22 -44 4 -24 18 0 Z" fill="${mix(COLOURS.bark, '#8a7f73', 0.4)}"/>
      <ellipse cx="-34" cy="-84" rx="40" ry="28" fill="${mix(silver, COLOURS.ink, 0.14)}"/><ellipse cx="34" cy="-88" rx="42" ry="30" fill="${mix(silver, COLOURS.ink, 0.1)}"/>
      <ellipse cx="0" cy="-106" rx="50" ry="32" fill="${silver}"/><ellipse cx="14" cy="-118" rx="26" ry="13" fill="#ffffff" opacity="0.25"/>`,
    );
  },
};

export function bench(x: number, y: number, scale: number): string {
  const wood = COLOURS.earth;
  return at(
    x,
    y,
    scale,
    false,
    `<ellipse cx="60" cy="2" rx="72" ry="6" fill="${COLOURS.ink}" opacity="0.15"/>
    <path d="M10 0 L14 -34 M110 0 L106 -34 M12 -34 L8 -70 M108 -34 L112 -70" stroke="${COLOURS.ink}" stroke-width="6" stroke-linecap="round" opacity="0.8"/>
    <rect x="0" y="-40" width="120" height="9" rx="4" fill="${wood}"/><rect x="-2" y="-58" width="124" height="8" rx="4" fill="${mix(wood, '#ffffff', 0.14)}"/><rect x="-3" y="-73" width="126" height="8" rx="4" fill="${mix(wood, '#ffffff', 0.22)}"/>`,
  );
}

/** A fence along y from edge to edge, with an open gate at `gate` (or none). */
export function fence(
  y: number,
  height: number,
  wood: boolean,
  gate: number | null = null,
): string {
  const colour = wood
    ? mix(COLOURS.earth, COLOURS.paper, 0.3)
    : mix(COLOURS.park, COLOURS.ink, 0.35);
  const parts = [];
  for (let x = -20; x < 1000; x += wood ? 34 : 80) {
    if (gate !== null && x > gate && x < gate + 110) continue;
    parts.push(
      wood
        ? `<path d="M${x} ${y} L${x} ${y - height} L${x + 8} ${y - height - 8} L${x + 16} ${y - height} L${x + 16} ${y} Z" fill="${colour}"/>`
        : `<rect x="${x}" y="${y - height}" width="5" height="${height}" rx="2.5" fill="${colour}"/>`,
    );
  }
  const rail = (dy: number) =>
    gate === null
      ? `<rect x="-20" y="${dy}" width="1000" height="${wood ? 7 : 3}" fill="${colour}"/>`
      : `<rect x="-20" y="${dy}" width="${gate + 22}" height="${wood ? 7 : 3}" fill="${colour}"/><rect x="${gate + 110}" y="${dy}" width="900" height="${wood ? 7 : 3}" fill="${colour}"/>`;
  const rails = wood
    ? [y - height * 0.75, y - height * 0.3]
    : [y - height, y - height * 0.75, y - height * 0.5, y - height * 0.25];
  return `<g opacity="0.9">${parts.join('')}${rails.map(rail).join('')}</g>`;
}

export function fountain(x: number, y: number, scale: number): string {
  return at(
    x,
    y,
    scale,
    false,
    `<ellipse cx="0" cy="2" rx="44" ry="6" fill="${COLOURS.ink}" opacity="0.15"/>
    <path d="M-14 0 L-9 -58 L9 -58 L14 0 Z" fill="#8FA3A0"/><rect x="-26" y="-66" width="52" height="12" rx="6" fill="#A9BBB7"/>
    <path d="M0 -66 C0 -84 16 -84 18 -70" stroke="#7C918D" stroke-width="5" fill="none" stroke-linecap="round"/>
    <path d="M18 -68 C20 -64 20 -62 20 -58" stroke="${COLOURS.haze}" stroke-width="4" stroke-linecap="round"/>
    <ellipse cx="34" cy="-4" rx="22" ry="7" fill="${COLOURS.sky}"/><ellipse cx="34" cy="-6" rx="17" ry="4" fill="${COLOURS.haze}"/>`,
  );
}

export const ball = (x: number, y: number, r: number): string =>
  `<ellipse cx="${x}" cy="${y + r}" rx="${r}" ry="${r * 0.3}" fill="${COLOURS.ink}" opacity="0.18"/><circle cx="${x}" cy="${y}" r="${r}" fill="${COLOURS.ball}"/><path d="M${x - r * 0.8} ${y - r * 0.55} Q${x} ${y} ${x - r * 0.6} ${y + r * 0.75} M${x + r * 0.7} ${y - r * 0.65} Q${x + r * 0.1} ${y} ${x + r * 0.8} ${y + r * 0.5}" stroke="#fff" stroke-width="${r * 0.16}" fill="none"/>`;
