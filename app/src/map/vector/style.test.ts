// How tiles of Protomaps' schema 4 are rendered: the order of layers, and features that are left out.
import { GeomType, paint, type Feature } from 'protomaps-leaflet';
import { expect, test } from 'vitest';
import type { Palette } from '#/map/vector/palette.ts';
import { labelRules, paintRules } from '#/map/vector/style.ts';

/** A palette in which each colour is the name of its token. */
const COLOURS = new Proxy({} as Palette, { get: (_, name) => String(name) });
const CORNERS = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 0],
];
const ORIGIN = { x: 0, y: 0 };

const feature = (geomType: GeomType, props: Record<string, string | boolean>): Feature =>
  ({
    props,
    geomType,
    bbox: { minX: 0, minY: 0, maxX: 100, maxY: 100 },
    geom: [CORNERS.map(([x, y]) => ({ x, y }))],
    numVertices: CORNERS.length,
  }) as Feature;
const area = (kind: string) => feature(GeomType.Polygon, { kind });
const line = (props: Record<string, string | boolean>) => feature(GeomType.Line, props);

/** The colours that a tile with these layers is painted with, from bottom to top. */
function painted(zoom: number, layers: Record<string, Feature[]>): string[] {
  const strokes: string[] = [];
  const state: Record<string, unknown> = {};
  const context = new Proxy(state, {
    get: (_, name) => {
      if (name === 'fill' || name === 'stroke')
        return () => strokes.push(String(state[`${name}Style`]));
      return state[String(name)] ?? (() => undefined);
    },
  }) as unknown as CanvasRenderingContext2D;
  const tile = {
    z: zoom,
    origin: ORIGIN,
    scale: 1,
    dim: 256,
    data: new Map(Object.entries(layers)),
  };
  const box = { minX: 0, minY: 0, maxX: 256, maxY: 256 };
  const rules = paintRules(COLOURS);
  paint(context, zoom, new Map([['', [tile as never]]]), null, rules, box, ORIGIN as never, false);
  return strokes;
}

/** The number of rules that label a feature. */
const labelsOf = (layer: string, labelled: Feature): number =>
  labelRules({ palette: COLOURS, language: 'en', ratio: 1 }).filter(
    ({ dataLayer, filter }) => dataLayer === layer && (filter?.(18, labelled) ?? true),
  ).length;

test.each(['pier', 'pedestrian'])(
  'a %s is painted above the sea, and a park that extends into the sea below it',
  (kind) => {
    const sea = { water: [area('ocean')], earth: [area('earth')] };
    expect(painted(16, { ...sea, landuse: [area(kind)] }).at(-1)).toBe('street');
    expect(painted(16, { ...sea, landuse: [area('nature_reserve')] }).at(-1)).toBe('water');
  },
);

test('paths are painted above streets, and indoor corridors are not painted as paths', () => {
  const street = line({ kind: 'minor_road', kind_detail: 'residential' });
  const path = line({ kind: 'path', kind_detail: 'footway' });
  expect(painted(16, { roads: [path, street] }).at(-1)).toBe('path');
  const corridor = line({ kind: 'path', kind_detail: 'corridor', name: 'Platform 2' });
  expect(painted(18, { roads: [corridor] })).toEqual([]);
  expect([labelsOf('roads', path), labelsOf('roads', corridor)]).toEqual([1, 0]);
});

test('a dog park has no name on the map, which could differ from the name on its card', () => {
  const place = (kind: string) => feature(GeomType.Point, { kind, name: 'Eucalyptus' });
  expect(['park', 'dog_park'].map((kind) => labelsOf('pois', place(kind)))).toEqual([1, 0]);
});

test('layers such as borders and ground cover are not painted', () => {
  expect(
    painted(7, {
      boundaries: [line({ kind: 'country', disputed: true })],
      landcover: [area('urban_area')],
      transit: [line({ kind: 'rail' })],
      roads: [line({ kind: 'ferry' }), line({ kind: 'aeroway', kind_detail: 'runway' })],
      buildings: [feature(GeomType.Point, { kind: 'address', addr_housenumber: '7' })],
    }),
  ).toEqual([]);
});
