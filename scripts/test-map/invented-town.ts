// An invented town where the demo's parks around the default place are: streets with names in three languages, in two, in one.
import { METRES_OF_DEGREE } from '../../app/src/core/distance.ts';
import type { Place } from './osm-pbf.ts';
import { names, type Box, type LayerName, type MapFeature } from './layers.ts';

/** Its middle: the place that the app shows first. */
const MIDDLE: Place = [34.809212, 32.09992];
/** Half of its side, in metres. */
const REACH = 1300;
/** Streets are this far apart, in metres. */
const BLOCK = 130;
/** The town stands a little crooked. */
const TILT = (11 * Math.PI) / 180;

/** Hebrew, Arabic, English; an empty one is not known, so that the local name stands in. The first that is there is local. */
const STREETS: [he: string, ar: string, en: string][] = [
  ['רחוב הזית', 'شارع الزيتون', 'Olive Street'],
  ['שדרות הברושים', 'جادة السرو', 'Cypress Avenue'],
  ['רחוב הכלנית', 'شارع شقائق النعمان', 'Anemone Street'],
  ['', 'شارع الياسمين', 'Jasmine Street'],
  ['רחוב האקליפטוס', 'شارع الكينا', 'Eucalyptus Street'],
  ['רחוב חיים ארלוזורוב 12', '', ''],
  ['סמטת החתולים', 'زقاق القطط', 'Cats Lane'],
  ['', 'طريق النبع القديم', ''],
  ['רחוב התמר', 'شارع النخيل', 'Palm Street'],
  ['שדרות הנחל', 'جادة الوادي', 'Stream Avenue'],
  ['רחוב השקמה', 'شارع الجميز', 'Sycamore Street'],
  ['רחוב הרימון', 'شارع الرمان', 'Pomegranate Street'],
];

const QUARTERS: [he: string, ar: string, en: string, x: number, y: number][] = [
  ['שכונת הגנים', 'حي الحدائق', 'Gardens Quarter', -560, 480],
  ['רמת הכלבים', 'تلة الكلاب', 'Dog Heights', 620, -560],
  ['הגדה הצפונית', 'الضفة الشمالية', 'North Bank', 250, 1000],
];

const PARKS: [
  he: string,
  ar: string,
  en: string,
  x: number,
  y: number,
  width: number,
  height: number,
][] = [
  ['פארק הנחל', 'حديقة الوادي', 'Stream Park', -200, 610, 1500, 170],
  ['גן הכלבים של האקליפטוס', 'حديقة كلاب الكينا', 'Eucalyptus Dog Park', -15, 15, 200, 150],
  ['גן הרימון', 'حديقة الرمان', 'Pomegranate Garden', -640, -420, 230, 210],
  ['', 'بستان النبع', '', 640, 210, 210, 190],
];

type Plot = [x: number, y: number, width: number, height: number];

/** Its name is known as its people write it, in two scripts, and in no language. */
const GARDEN: Plot = [195, -325, 104, 104];
const GARDEN_NAMES = names({ name: 'גן השלום' }, 'حديقة السلام');
const SQUARE: Plot = [-195, -325, 100, 100];

/** A number from 0 to 1 that belongs to a block of the town. */
function chance(column: number, row: number, salt: number): number {
  const wave = Math.sin(column * 127.1 + row * 311.7 + salt * 74.7) * 43758.5453;
  return wave - Math.floor(wave);
}

/** From metres in the town's own directions to a place. */
function at(x: number, y: number): Place {
  const east = x * Math.cos(TILT) - y * Math.sin(TILT);
  const north = x * Math.sin(TILT) + y * Math.cos(TILT);
  const narrowing = Math.cos((MIDDLE[1] * Math.PI) / 180);
  const round = (value: number) => Math.round(value * 1e7) / 1e7;
  return [
    round(MIDDLE[0] + east / METRES_OF_DEGREE / narrowing),
    round(MIDDLE[1] + north / METRES_OF_DEGREE),
  ];
}

const rectangle = (x: number, y: number, width: number, height: number): Place[] => {
  const [w, h] = [width / 2, height / 2];
  return [at(x - w, y - h), at(x + w, y - h), at(x + w, y + h), at(x - w, y + h), at(x - w, y - h)];
};

function namesOf([he, ar, en]: readonly [string, string, string]): Record<string, string> {
  const all = { name: he || ar || en, 'name:he': he, 'name:ar': ar, 'name:en': en };
  return names(Object.fromEntries(Object.entries(all).filter(([, name]) => name !== '')));
}

const OPEN: Plot[] = [...PARKS.map(([, , , ...plot]): Plot => plot), GARDEN, SQUARE];

const isInPark = (x: number, y: number): boolean =>
  OPEN.some(
    ([px, py, width, height]) =>
      Math.abs(x - px) < width / 2 + 12 && Math.abs(y - py) < height / 2 + 12,
  );

/** The stream, from west to east. */
const stream = (x: number): number => 770 + 45 * Math.sin(x / 260);

export const TOWN_BOX: Box = [34.7925, 32.0858, 34.826, 32.114];

export function inventedTown(): MapFeature[] {
  const found: MapFeature[] = [];
  const add = (
    layer: LayerName,
    minZoom: number,
    properties: MapFeature['properties'],
    geometry: MapFeature['geometry'],
  ) => found.push({ layer, minZoom, properties, geometry });
  const area = (ring: Place[]): MapFeature['geometry'] => ({
    type: 'Polygon',
    coordinates: [ring],
  });
  const line = (...coordinates: Place[]): MapFeature['geometry'] => ({
    type: 'LineString',
    coordinates,
  });
  const spot = (x: number, y: number): MapFeature['geometry'] => ({
    type: 'Point',
    coordinates: at(x, y),
  });

  add(
    'earth',
    0,
    { kind: 'earth' },
    area([
      [34.79, 32.083],
      [34.829, 32.083],
      [34.829, 32.117],
      [34.79, 32.117],
      [34.79, 32.083],
    ]),
  );
  const count = Math.floor(REACH / BLOCK);
  for (let index = -count; index <= count; index++) {
    const avenue = index % 4 === 0;
    const zoom = avenue ? 10 : 12;
    const road = {
      kind: avenue ? 'major_road' : 'minor_road',
      kind_detail: avenue ? 'secondary' : 'residential',
      min_zoom: zoom + 1,
      sort_rank: 400,
    };
    const name = (offset: number) =>
      namesOf(STREETS[(index + count + offset) % STREETS.length] ?? ['', '', '']);
    add(
      'roads',
      zoom,
      { ...road, ...name(0) },
      line(at(index * BLOCK, -REACH), at(index * BLOCK, 520)),
    );
    const y = index * BLOCK;
    if (y < 520) add('roads', zoom, { ...road, ...name(5) }, line(at(-REACH, y), at(REACH, y)));
    if (avenue)
      add(
        'roads',
        zoom,
        { ...road, ...name(0) },
        line(at(index * BLOCK, 520), at(index * BLOCK, REACH)),
      );
    for (let row = -count; row < 4; row++) {
      const [x, middle] = [index * BLOCK + BLOCK / 2, row * BLOCK + BLOCK / 2];
      if (isInPark(x, middle)) continue;
      for (const house of [0, 1, 2, 3]) {
        const [hx, hy] = [x - 28 + 56 * (house % 2), middle - 28 + 56 * (house >> 1)];
        if (isInPark(hx, hy)) continue;
        const [width, height] = [
          26 + 20 * chance(index, row, house),
          24 + 22 * chance(index, row, house + 5),
        ];
        add('buildings', 13, { kind: 'building' }, area(rectangle(hx, hy, width, height)));
      }
      if (chance(index, row, 11) < 0.1)
        add('pois', 15, { kind: 'drinking_water' }, spot(x, middle));
    }
  }
  const xs = Array.from({ length: 53 }, (_, step) => -REACH + (step * 2 * REACH) / 52);
  const bank = (side: number) => xs.map((x) => at(x, stream(x) + side * 16));
  const water = bank(1).concat(bank(-1).reverse());
  add(
    'water',
    9,
    { kind: 'water', kind_detail: 'river', sort_rank: 200 },
    area([...water, water[0] as Place]),
  );
  // The area has no name; the line in its middle has.
  add(
    'water',
    9,
    {
      kind: 'river',
      min_zoom: 9,
      sort_rank: 200,
      ...namesOf(['נחל הערבה', 'وادي الصفصاف', 'Willow Stream']),
    },
    line(...xs.map((x) => at(x, stream(x)))),
  );
  add(
    'water',
    12,
    {
      kind: 'stream',
      intermittent: true,
      sort_rank: 200,
      ...namesOf(['נחל יבש', 'وادٍ جاف', 'Dry Brook']),
    },
    line(...xs.map((x) => at(x, -650 + 30 * Math.sin(x / 90)))),
  );
  for (const side of [-11, 11])
    add(
      'roads',
      14,
      { kind: 'path', kind_detail: 'sidewalk', min_zoom: 15, sort_rank: 400 },
      line(at(side, -REACH), at(side, 520)),
    );
  for (const y of [-480, -220, 170])
    add(
      'roads',
      14,
      {
        kind: 'minor_road',
        kind_detail: 'service',
        service: 'driveway',
        min_zoom: 15,
        sort_rank: 400,
      },
      line(at(130, y), at(185, y), at(185, y + 25)),
    );
  add(
    'roads',
    11,
    { kind: 'rail', kind_detail: 'light_rail', is_tunnel: true, min_zoom: 12, sort_rank: 400 },
    line(at(-REACH, -180), at(REACH, -180)),
  );
  add('landuse', 14, { kind: 'pedestrian', sort_rank: 189 }, area(rectangle(...SQUARE)));
  add('landuse', 10, { kind: 'garden', sort_rank: 189 }, area(rectangle(...GARDEN)));
  add('pois', 14, { kind: 'garden', min_zoom: 15, ...GARDEN_NAMES }, spot(GARDEN[0], GARDEN[1]));
  add('pois', 15, { kind: 'watering_place', min_zoom: 16 }, spot(GARDEN[0] + 30, GARDEN[1] - 30));
  for (const side of [-44, 44])
    add(
      'roads',
      13,
      {
        kind: 'path',
        kind_detail: 'footway',
        min_zoom: 14,
        sort_rank: 400,
        ...namesOf(['שביל הנחל', 'ممشى الوادي', 'Stream Path']),
      },
      line(...xs.map((x) => at(x, stream(x) + side))),
    );
  PARKS.forEach(([he, ar, en, x, y, width, height], index) => {
    const kind = index === 1 ? 'dog_park' : 'park';
    add('landuse', 10, { kind }, area(rectangle(x, y, width, height)));
    add('pois', 14, { kind, ...namesOf([he, ar, en]) }, spot(x, y));
    for (const direction of [1, -1])
      add(
        'roads',
        13,
        { kind: 'path', kind_detail: 'path' },
        line(
          at(x - width / 2, y - (direction * height) / 2),
          at(x, y + 8 * direction),
          at(x + width / 2, y + (direction * height) / 2),
        ),
      );
    add('pois', 15, { kind: 'drinking_water' }, spot(x + width / 4, y - height / 5));
    if (index !== 1) add('pois', 15, { kind: 'toilets' }, spot(x - width / 3, y + height / 4));
  });
  for (const [he, ar, en, x, y] of QUARTERS)
    add(
      'places',
      12,
      {
        kind: 'neighbourhood',
        kind_detail: 'suburb',
        population_rank: 3,
        ...namesOf([he, ar, en]),
      },
      spot(x, y),
    );
  add(
    'places',
    6,
    {
      kind: 'locality',
      kind_detail: 'town',
      population_rank: 8,
      ...namesOf(['עיר הכלבים', 'مدينة الكلاب', 'Dogtown']),
    },
    spot(0, -150),
  );
  return found;
}
