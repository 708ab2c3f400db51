// Reads an OpenStreetMap extract (.osm.pbf) whole into memory: enough for a town.
import { inflateSync } from 'node:zlib';
import Pbf from 'pbf';

export type Tags = Record<string, string>;
export type Place = [long: number, lat: number];

export interface Extract {
  /** Nodes that have tags. */
  points: { tags: Tags; place: Place }[];
  /** Lines and areas that are a single way; those with a node outside of the extract lose it. */
  ways: { id: number; tags: Tags; places: Place[] }[];
  /** Areas of several ways: their outer rings, closed. */
  areas: { tags: Tags; rings: Place[][] }[];
}

interface Relation {
  tags: Tags;
  /** Ids of ways that are outer members. */
  outer: number[];
}

const NANO = 1e-9;

/** The data of each blob with its type, in order. */
function* blobs(file: Buffer): Generator<[type: string, data: Uint8Array]> {
  let at = 0;
  while (at < file.length) {
    const length = file.readUInt32BE(at);
    const head = { type: '', size: 0 };
    new Pbf(file.subarray(at + 4, at + 4 + length)).readFields((field, into, pbf) => {
      if (field === 1) into.type = pbf.readString();
      if (field === 3) into.size = pbf.readVarint();
    }, head);
    const start = at + 4 + length;
    const blob: { data: Uint8Array } = { data: new Uint8Array() };
    new Pbf(file.subarray(start, start + head.size)).readFields((field, into, pbf) => {
      if (field === 1) into.data = pbf.readBytes();
      if (field === 3) into.data = inflateSync(pbf.readBytes());
    }, blob);
    yield [head.type, blob.data];
    at = start + head.size;
  }
}

/** The running sums of differences. */
function summed(differences: number[]): number[] {
  let sum = 0;
  return differences.map((difference) => (sum += difference));
}

/** Joins lines at their ends into closed rings; what does not close is left out. */
function joinRings(lines: Place[][]): Place[][] {
  const same = (one?: Place, other?: Place) => one?.[0] === other?.[0] && one?.[1] === other?.[1];
  const rest = lines.filter(({ length }) => length > 1).map((line) => [...line]);
  const rings: Place[][] = [];
  for (let ring = rest.shift(); ring; ring = rest.shift()) {
    for (;;) {
      const end = ring.at(-1);
      if (same(ring[0], end)) {
        rings.push(ring);
        break;
      }
      const next = rest.findIndex((line) => same(line[0], end) || same(line.at(-1), end));
      const [line] = next < 0 ? [] : rest.splice(next, 1);
      if (!line) break;
      ring.push(...(same(line[0], end) ? line : line.reverse()).slice(1));
    }
  }
  return rings;
}

/** @param file the bytes of an extract */
export function readExtract(file: Buffer): Extract {
  const nodes = new Map<number, Place>();
  const points: Extract['points'] = [];
  const ways: { id: number; tags: Tags; refs: number[] }[] = [];
  const relations: Relation[] = [];
  for (const [type, data] of blobs(file)) {
    if (type !== 'OSMData') continue;
    const block = {
      texts: [] as string[],
      groups: [] as Uint8Array[],
      granularity: 100,
      lat: 0,
      long: 0,
    };
    new Pbf(data).readFields((field, into, pbf) => {
      if (field === 1)
        pbf.readMessage((inner, texts) => {
          if (inner === 1) texts.push(Buffer.from(pbf.readBytes()).toString('utf8'));
        }, into.texts);
      if (field === 2) into.groups.push(pbf.readBytes());
      if (field === 17) into.granularity = pbf.readVarint();
      if (field === 19) into.lat = pbf.readVarint(true);
      if (field === 20) into.long = pbf.readVarint(true);
    }, block);
    const textOf = (index = 0) => block.texts[index] ?? '';
    const tagsOf = (keys: number[], values: number[]): Tags =>
      Object.fromEntries(keys.map((key, at) => [textOf(key), textOf(values[at])]));

    function readDense(pbf: Pbf): void {
      const dense = {
        ids: [] as number[],
        lats: [] as number[],
        longs: [] as number[],
        tags: [] as number[],
      };
      pbf.readMessage((field, into) => {
        if (field === 1) into.ids = summed(pbf.readPackedSVarint());
        if (field === 8) into.lats = summed(pbf.readPackedSVarint());
        if (field === 9) into.longs = summed(pbf.readPackedSVarint());
        if (field === 10) into.tags = pbf.readPackedVarint();
      }, dense);
      let at = 0;
      dense.ids.forEach((id, index) => {
        const place: Place = [
          NANO * (block.long + block.granularity * (dense.longs[index] ?? 0)),
          NANO * (block.lat + block.granularity * (dense.lats[index] ?? 0)),
        ];
        nodes.set(id, place);
        const tags: Tags = {};
        while (dense.tags[at]) {
          tags[textOf(dense.tags[at])] = textOf(dense.tags[at + 1]);
          at += 2;
        }
        at += 1;
        if (Object.keys(tags).length > 0) points.push({ tags, place });
      });
    }

    for (const group of block.groups)
      new Pbf(group).readFields((kind, _, pbf) => {
        if (kind === 2) readDense(pbf);
        if (kind !== 3 && kind !== 4) return;
        const found = {
          id: 0,
          keys: [] as number[],
          values: [] as number[],
          refs: [] as number[],
          roles: [] as number[],
          types: [] as number[],
        };
        pbf.readMessage((field, into) => {
          if (field === 1) into.id = pbf.readVarint();
          if (field === 2) into.keys = pbf.readPackedVarint();
          if (field === 3) into.values = pbf.readPackedVarint();
          if (field === 8 && kind === 3) into.refs = summed(pbf.readPackedSVarint());
          if (field === 8 && kind === 4) into.roles = pbf.readPackedVarint();
          if (field === 9) into.refs = summed(pbf.readPackedSVarint());
          if (field === 10) into.types = pbf.readPackedVarint();
        }, found);
        const tags = tagsOf(found.keys, found.values);
        if (kind === 3) ways.push({ id: found.id, tags, refs: found.refs });
        else if (tags.type === 'multipolygon') {
          const isOuter = (at: number) =>
            found.types[at] === 1 && textOf(found.roles[at]) !== 'inner';
          relations.push({ tags, outer: found.refs.filter((_ref, at) => isOuter(at)) });
        }
      }, null);
  }
  const placed = ways.map(({ id, tags, refs }) => ({
    id,
    tags,
    places: refs.map((ref) => nodes.get(ref)).filter((place) => place !== undefined),
  }));
  const byId = new Map(placed.map((way) => [way.id, way.places]));
  return {
    points,
    ways: placed.filter(({ tags }) => Object.keys(tags).length > 0),
    areas: relations.map(({ tags, outer }) => ({
      tags,
      rings: joinRings(outer.map((id) => byId.get(id) ?? [])),
    })),
  };
}
