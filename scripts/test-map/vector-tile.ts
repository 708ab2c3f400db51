// Writes a vector tile (MVT 2) from the features of each layer.
import Pbf from 'pbf';

type Value = string | number | boolean;

export interface TileFeature {
  /** 1 points, 2 lines, 3 polygons. */
  type: 1 | 2 | 3;
  /** Points of type 1, rings or lines of the others, in whole units of the tile. */
  geometry: number[][] | number[][][];
  tags: Record<string, Value>;
}

export const EXTENT = 4096;

/** The commands of a geometry, as numbers. */
function commands({ type, geometry }: TileFeature): number[] {
  const out: number[] = [];
  let [x, y] = [0, 0];
  const zigzag = (value: number) => (value << 1) ^ (value >> 31);
  const move = ([toX = 0, toY = 0]: number[]) => {
    out.push(zigzag(toX - x), zigzag(toY - y));
    [x, y] = [toX, toY];
  };
  if (type === 1) {
    const points = geometry as number[][];
    out.push(1 | (points.length << 3));
    points.forEach(move);
    return out;
  }
  for (const ring of geometry as number[][][]) {
    const places = type === 3 ? ring.slice(0, -1) : ring;
    if (places.length < 2) continue;
    out.push(1 | (1 << 3));
    move(places[0] ?? []);
    out.push(2 | ((places.length - 1) << 3));
    places.slice(1).forEach(move);
    if (type === 3) out.push(7 | (1 << 3));
  }
  return out;
}

function writeLayer(name: string, features: TileFeature[], pbf: Pbf): void {
  const keys: string[] = [];
  const values: Value[] = [];
  const indexIn = <T>(list: T[], item: T) => {
    const at = list.indexOf(item);
    return at < 0 ? list.push(item) - 1 : at;
  };
  pbf.writeVarintField(15, 2);
  pbf.writeStringField(1, name);
  for (const feature of features)
    pbf.writeMessage(
      2,
      (each: TileFeature, inner) => {
        const pairs = Object.entries(each.tags).flatMap(([key, value]) => [
          indexIn(keys, key),
          indexIn(values, value),
        ]);
        inner?.writePackedVarint(2, pairs);
        inner?.writeVarintField(3, each.type);
        inner?.writePackedVarint(4, commands(each));
      },
      feature,
    );
  for (const key of keys) pbf.writeStringField(3, key);
  for (const value of values)
    pbf.writeMessage(
      4,
      (each: Value, inner) => {
        if (typeof each === 'string') inner?.writeStringField(1, each);
        else if (typeof each === 'boolean') inner?.writeBooleanField(7, each);
        else inner?.writeVarintField(4, each);
      },
      value,
    );
  pbf.writeVarintField(5, EXTENT);
}

/** @param layers those without features are left out */
export function writeVectorTile(layers: Map<string, TileFeature[]>): Uint8Array {
  const pbf = new Pbf();
  for (const [name, features] of layers)
    if (features.length > 0)
      pbf.writeMessage(
        3,
        (each: TileFeature[], inner) => inner && writeLayer(name, each, inner),
        features,
      );
  return pbf.finish();
}
