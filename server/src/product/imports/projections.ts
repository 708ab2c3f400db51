// The coordinate systems that a file may specify, and their conversion to degrees (WGS 84).
import proj4 from 'proj4';
import { StartError } from '#/host/lib/start-error.ts';

const DEFINITIONS: Record<number, string> = {
  2039:
    '+proj=tmerc +lat_0=31.7343936111111 +lon_0=35.2045169444444 +k=1.0000067 +x_0=219529.584 +y_0=626907.39 +ellps=GRS80 ' +
    '+towgs84=-24.0024,-17.1032,-17.8444,-0.33077,-1.85269,1.66969,5.4248 +units=m +no_defs',
  2056: '+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +x_0=2600000 +y_0=1200000 +ellps=bessel +towgs84=674.374,15.056,405.346 +units=m',
  2154: '+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +units=m',
  2193: '+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +units=m +no_defs',
  3763: '+proj=tmerc +lat_0=39.6682583333333 +lon_0=-8.13310833333333 +k=1 +x_0=0 +y_0=0 +ellps=GRS80 +units=m',
  3857: '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs',
  27700:
    '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy ' +
    '+towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m',
  28992:
    '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel ' +
    '+towgs84=565.237,50.0087,465.658,-0.406857,0.350733,-1.87035,4.0812 +units=m',
};
/** Alternative codes that Esri and older programs use. */
const SAME: Record<number, number> = { 102_100: 3857, 102_113: 3857, 900_913: 3857, 3785: 3857 };
const DEGREES = new Set([4326, 4258, 4979, 4269, 84]);

/** Returns the UTM zones of Europe (ETRS89) and of the world (WGS 84). */
function utm(code: number): string | undefined {
  if (code >= 25_828 && code <= 25_838) return `+proj=utm +zone=${code - 25_800} +ellps=GRS80`;
  const zone = code % 100;
  const hemisphere = Math.floor(code / 100);
  if (zone < 1 || zone > 60 || (hemisphere !== 326 && hemisphere !== 327)) return undefined;
  return `+proj=utm +zone=${zone}${hemisphere === 327 ? ' +south' : ''} +datum=WGS84`;
}

export type Position = [long: number, lat: number];
export type Projection = (position: Position) => Position;

const CONVERT = 'ogr2ogr -t_srs EPSG:4326 parks.geojson FILE';

/** Placeholders of the message about projected coordinates. */
export const projectedDegrees = (limit: number) => ({
  from: -limit,
  to: limit,
  command: `"${CONVERT}"`,
  option: '--crs EPSG:2039',
});

/** Extracts the code from `EPSG:3857`, `urn:ogc:def:crs:EPSG::3857` and `urn:ogc:def:crs:OGC:1.3:CRS84`. */
function codeOf(name: string): number | null {
  const [, code] = /(?:^|[^\d.])(\d{2,6})$/.exec(name.trim()) ?? [];
  return code === undefined ? null : Number(code);
}

/**
 * @param name such as `EPSG:2039`
 * @returns the conversion to degrees; null if the system already uses degrees
 * @throws StartError if the system is not supported
 */
export function projectionFrom(name: string | number): Projection | null {
  const found = codeOf(String(name));
  const code = found === null ? null : (SAME[found] ?? found);
  if (code !== null && DEGREES.has(code)) return null;
  const definition = code === null ? undefined : (DEFINITIONS[code] ?? utm(code));
  if (definition === undefined)
    throw new StartError(
      `The coordinates are in the system "${name}", which cannot be converted here: use "${CONVERT}" first.`,
    );
  const converter = proj4(definition, 'WGS84');
  return ([x, y]) => {
    const [long, lat] = converter.forward([x, y]) as Position;
    return [long, lat];
  };
}
