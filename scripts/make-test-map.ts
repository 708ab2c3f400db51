// Makes the map that tests draw (server/testing/fixtures/test-map.pmtiles) from an OpenStreetMap extract of Monaco and an invented town.
// Operators take theirs from Protomaps (docs/map.md). Run: npx jiti scripts/make-test-map.ts monaco.osm.pbf
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import GeoJSONVT from 'geojson-vt';
import { inventedTown, TOWN_BOX } from './test-map/invented-town.ts';
import {
  asGeoJson,
  extractFeatures,
  type Box,
  type LayerName,
  type MapFeature,
} from './test-map/layers.ts';
import { readExtract } from './test-map/osm-pbf.ts';
import { writeArchive, type Tile } from './test-map/pmtiles-writer.ts';
import { EXTENT, writeVectorTile, type TileFeature } from './test-map/vector-tile.ts';

const TARGET = path.resolve(import.meta.dirname, '../server/testing/fixtures/test-map.pmtiles');
const MONACO_BOX: Box = [7.405, 43.72, 7.445, 43.755];
const MAX_ZOOM = 15;
const LAYERS: LayerName[] = [
  'boundaries',
  'buildings',
  'earth',
  'landcover',
  'landuse',
  'places',
  'pois',
  'roads',
  'water',
];

const [extract] = process.argv.slice(2);
if (extract === undefined)
  throw new Error('Usage: npx jiti scripts/make-test-map.ts monaco.osm.pbf');
const features = [
  ...extractFeatures(readExtract(readFileSync(extract)), MONACO_BOX),
  ...inventedTown(),
];

/** Tile columns or rows from one degree to another at a zoom. */
function span(zoom: number, [west, south, east, north]: Box): [number, number, number, number] {
  const column = (long: number) => Math.floor(((long + 180) / 360) * 2 ** zoom);
  const row = (lat: number) => {
    const sine = Math.sin((lat * Math.PI) / 180);
    return Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** zoom);
  };
  return [column(west), row(north), column(east), row(south)];
}

/** The tiles of one zoom, sliced from the features that begin at it or before. */
function tilesOf(zoom: number, all: MapFeature[]): Tile[] {
  const shown = all.filter(({ minZoom }) => minZoom <= zoom);
  const indexes = LAYERS.map((layer) => {
    const data = {
      type: 'FeatureCollection' as const,
      features: shown.filter((each) => each.layer === layer).map(asGeoJson),
    };
    return [
      layer,
      new GeoJSONVT(data, {
        maxZoom: zoom,
        indexMaxZoom: zoom,
        indexMaxPoints: 0,
        extent: EXTENT,
        buffer: 128,
        tolerance: zoom === MAX_ZOOM ? 1 : 4,
      }),
    ] as const;
  });
  const places = new Set(
    [MONACO_BOX, TOWN_BOX].flatMap((box) => {
      const [left, top, right, bottom] = span(zoom, box);
      const range = (from: number, to: number) =>
        Array.from({ length: to - from + 1 }, (_, step) => from + step);
      return range(left, right).flatMap((x) => range(top, bottom).map((y) => `${x} ${y}`));
    }),
  );
  return [...places].map((place) => {
    const [x = 0, y = 0] = place.split(' ').map(Number);
    const layers = new Map(
      indexes.map(([layer, index]) => [
        layer,
        (index.getTile(zoom, x, y)?.features ?? []) as TileFeature[],
      ]),
    );
    return { z: zoom, x, y, bytes: writeVectorTile(layers) };
  });
}

const tiles = Array.from({ length: MAX_ZOOM + 1 }, (_, zoom) => tilesOf(zoom, features)).flat();
const bounds = [
  Math.min(MONACO_BOX[0], TOWN_BOX[0]),
  Math.min(MONACO_BOX[1], TOWN_BOX[1]),
  Math.max(MONACO_BOX[2], TOWN_BOX[2]),
  Math.max(MONACO_BOX[3], TOWN_BOX[3]),
] as const;
const archive = writeArchive(tiles, bounds, {
  name: 'Packpark test map',
  description:
    'Monaco (OpenStreetMap, 2021) and an invented town, in the layers of Protomaps basemap',
  version: '4.0.0',
  type: 'baselayer',
  attribution: '© OpenStreetMap contributors',
  license: 'Open Database Licence (ODbL) 1.0',
  vector_layers: LAYERS.map((id) => ({ id, minzoom: 0, maxzoom: MAX_ZOOM, fields: {} })),
});
writeFileSync(TARGET, archive);
console.log(
  `${path.relative(process.cwd(), TARGET)}: ${tiles.length} tiles, ${Math.round(archive.length / 1000)} KB`,
);
