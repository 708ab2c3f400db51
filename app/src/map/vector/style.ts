// The style of the vector map, which is Protomaps' basemap (schema 4) in the colours of the app. Paths, parks and drinking water
// are more prominent than roads.
import {
  exp,
  GeomType,
  LineSymbolizer,
  PolygonSymbolizer,
  type Feature,
  type Filter,
  type LabelRule,
  type LabelSymbolizer,
  type PaintRule,
} from 'protomaps-leaflet';
import { nameAlong, nameOfPlace } from '#/map/vector/names.ts';
import type { TileStyle } from '#/map/vector/renderer-protocol.ts';
import type { Palette } from '#/map/vector/palette.ts';

const GREEN = [
  'park',
  'garden',
  'dog_park',
  'playground',
  'recreation_ground',
  'grass',
  'meadow',
  'village_green',
  'golf_course',
  'nature_reserve',
  'national_park',
  'protected_area',
  'grassland',
  'pitch',
  'zoo',
  'allotments',
  'cemetery',
];
const WOODED = ['wood', 'forest', 'scrub', 'orchard'];
const SANDY = ['beach', 'sand'];
/** Squares and piers, which can be walked on. */
const PAVED = ['pedestrian', 'footway', 'pier', 'platform'];
/** Sources of drinking water for dogs. */
const DRINKING = ['drinking_water', 'watering_place', 'water_point'];

const kindIs =
  (...kinds: string[]) =>
  (_zoom: number, { props }: Feature): boolean =>
    kinds.includes(String(props.kind));

const all =
  (...filters: Filter[]): Filter =>
  (zoom, feature) =>
    filters.every((filter) => filter(zoom, feature));
const not =
  (filter: Filter): Filter =>
  (zoom, feature) =>
    !filter(zoom, feature);

const detailIs =
  (...details: string[]): Filter =>
  (_zoom, { props }) =>
    details.includes(String(props.kind_detail));
/** Belongs to a street, so it is not drawn as a separate path. */
const isPavement = detailIs('sidewalk', 'crossing');
/** Paths for a walk with a dog, without indoor corridors. */
const isWay = all(kindIs('path'), not(isPavement), not(detailIs('corridor')));
const isService = detailIs(
  'service',
  'alley',
  'driveway',
  'drive-through',
  'emergency_access',
  'parking_aisle',
);
/** True in a tunnel, which is not visible from above. */
const isCovered: Filter = (_zoom, { props }) => props.is_tunnel === true;
/** Dry for most of the year, like most streams here. */
const isDry: Filter = (_zoom, { props }) => props.intermittent === true;

const isOf =
  (type: GeomType) =>
  (_zoom: number, { geomType }: Feature): boolean =>
    geomType === type;
const [isPoint, isLine, isArea] = [GeomType.Point, GeomType.Line, GeomType.Polygon].map(isOf) as [
  Filter,
  Filter,
  Filter,
];

const growing = (...stops: [zoom: number, pixels: number][]) => exp(1.5, stops);

const area = (fill: string, stroke?: string, width = 0) =>
  new PolygonSymbolizer({ fill, ...(stroke !== undefined && { stroke, width }) });

const line = (color: string, width: (zoom: number) => number) =>
  new LineSymbolizer({ color, width, lineCap: 'round', lineJoin: 'round' });

const dashed = (color: string, width: (zoom: number) => number) =>
  new LineSymbolizer({ color, width, dash: [8, 6] });

const SMALL = growing([12, 0.6], [14, 2], [16, 7], [18, 18], [19, 26]);
const LARGE = growing([8, 0.8], [12, 2.5], [14, 5], [16, 11], [18, 26], [19, 36]);
const SERVICE = growing([14, 0.8], [16, 3.5], [18, 10], [19, 15]);
const PATH = growing([13, 0.8], [14, 1.3], [16, 2.4], [18, 5], [19, 7]);
const PAVEMENT = growing([17, 1], [19, 2.5]);
const STREAM = growing([9, 0.5], [14, 2], [18, 8]);

const wider =
  (width: (zoom: number) => number, by: number) =>
  (zoom: number): number =>
    width(zoom) + by;

/** Returns the rules in painting order, the lowest layer first. */
export function paintRules(colours: Palette): PaintRule[] {
  const roads = (filter: Filter, symbolizer: LineSymbolizer, minzoom = 0): PaintRule => ({
    dataLayer: 'roads',
    symbolizer,
    filter,
    minzoom,
  });
  const open = not(isCovered);
  const streets = all(kindIs('minor_road', 'other'), not(isService));
  const services = all(kindIs('minor_road', 'other'), isService);
  const avenues = kindIs('major_road', 'highway');
  const land = (kinds: string[], symbolizer: PolygonSymbolizer, minzoom = 0): PaintRule => ({
    dataLayer: 'landuse',
    symbolizer,
    filter: kindIs(...kinds),
    minzoom,
  });
  const streams = (filter: Filter, symbolizer: LineSymbolizer, minzoom = 0): PaintRule => ({
    dataLayer: 'water',
    symbolizer,
    filter: all(isLine, open, filter),
    minzoom,
  });
  return [
    { dataLayer: 'earth', symbolizer: area(colours.earth), filter: isArea },
    land(SANDY, area(colours.sand)),
    land(WOODED, area(colours.wood)),
    land(GREEN, area(colours.park)),
    land(['park', 'garden', 'nature_reserve'], area('transparent', colours.fence, 0.8), 14),
    { dataLayer: 'water', symbolizer: area(colours.water), filter: isArea },
    streams(not(isDry), line(colours.water, STREAM)),
    streams(isDry, dashed(colours.water, STREAM), 13),
    // Piers and bridge decks.
    land(PAVED, area(colours.street), 14),
    {
      dataLayer: 'buildings',
      symbolizer: area(colours.building),
      minzoom: 14,
      filter: kindIs('building', 'building_part'),
    },
    // A tunnel is drawn as an outline without fill.
    roads(services, line(colours['street-edge'], wider(SERVICE, 1.5)), 15),
    roads(streets, line(colours['street-edge'], wider(SMALL, 1.5)), 13),
    roads(avenues, line(colours['street-edge'], wider(LARGE, 1.5)), 10),
    roads(all(services, open), line(colours.street, SERVICE), 14),
    roads(all(streets, open), line(colours.street, SMALL), 12),
    roads(all(avenues, open), line(colours.avenue, LARGE)),
    roads(all(kindIs('rail'), open), line(colours.rail, growing([10, 0.5], [18, 3])), 11),
    // Footpaths, above roads.
    roads(all(kindIs('path'), isPavement), line(colours.path, PAVEMENT), 17),
    roads(isWay, line(colours.halo, wider(PATH, 2)), 15),
    roads(isWay, line(colours.path, PATH), 13),
    land(['dog_park'], area('transparent', colours.fence, 3), 13),
  ];
}

const WATER_POINT_ZOOM = 16;

/** A drop in a circle: drinking water. */
const drop = (colours: Palette): LabelSymbolizer => ({
  place(_layout, geometry) {
    const anchor = geometry[0]?.[0];
    if (!anchor) return undefined;
    const { x, y } = anchor;
    const radius = 8;
    return [
      {
        anchor,
        bboxes: [{ minX: x - radius, minY: y - radius, maxX: x + radius, maxY: y + radius }],
        draw(context) {
          context.globalAlpha = 1;
          context.fillStyle = colours.tap;
          context.strokeStyle = colours.halo;
          context.lineWidth = 1.5;
          context.beginPath();
          context.arc(0, 0, radius - 1, 0, 2 * Math.PI);
          context.fill();
          context.stroke();
          context.fillStyle = colours.halo;
          context.beginPath();
          context.moveTo(0, -5);
          context.bezierCurveTo(2, -2, 3.4, -0.4, 3.4, 1.4);
          context.bezierCurveTo(3.4, 5.4, -3.4, 5.4, -3.4, 1.4);
          context.bezierCurveTo(-3.4, -0.4, -2, -2, 0, -5);
          context.fill();
        },
      },
    ];
  },
});

const rankOf = (props: Record<string, unknown>): number => Number(props.population_rank ?? 0);

/** Labels by priority: earlier ones take the space of later ones. */
export function labelRules({ palette: colours, language }: TileStyle): LabelRule[] {
  const { halo } = colours;
  const place = (size: number, fill: string, weight = 400) =>
    nameOfPlace({ size, weight, fill, halo }, language);
  const along = (size: number, fill: string, weight = 400) =>
    nameAlong({ size, weight, fill, halo }, language);
  const named = (
    dataLayer: string,
    filter: Filter,
    symbolizer: LabelSymbolizer,
    minzoom = 0,
  ): LabelRule => ({ dataLayer, filter, symbolizer, minzoom });
  // Without dog parks: the app's pins mark them, and their names in the map file may differ from those of the cards.
  const greens = kindIs('park', 'garden', 'nature_reserve', 'national_park', 'forest', 'beach');
  const avenues = kindIs('major_road', 'highway');
  const quarters = kindIs('neighbourhood', 'macrohood');
  return [
    {
      ...named('places', kindIs('locality'), place(16, colours.name, 600)),
      sort: (one, other) => rankOf(other) - rankOf(one),
      maxzoom: 15,
    },
    named('pois', greens, place(13, colours['name-park'], 500), 14),
    named('pois', kindIs(...DRINKING), drop(colours), WATER_POINT_ZOOM),
    { ...named('places', quarters, place(14, colours['name-soft'], 600), 12), maxzoom: 16 },
    named('roads', avenues, along(12, colours.name, 500), 13),
    named('roads', isWay, along(12, colours['name-park'], 500), 15),
    named('roads', kindIs('minor_road', 'other'), along(11.5, colours.name), 15),
    named('water', isPoint, place(12, colours['name-water'], 500)),
    named('water', isLine, along(12, colours['name-water'], 500), 13),
  ];
}
