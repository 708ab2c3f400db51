// Distances, how they are written in each language, and which points are accepted.
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#/i18n/languages.ts';
import { distanceMetres, formatDistance, readLatLong } from '#/lib/geo.ts';

describe('distanceMetres', () => {
  it('measures a degree of latitude as 111.2 km', () => {
    expect(distanceMetres({ lat: 32, long: 34 }, { lat: 33, long: 34 })).toBeCloseTo(111_195, -1);
  });

  it('is zero for the same point and crosses the date line the short way', () => {
    expect(distanceMetres({ lat: 32, long: 34 }, { lat: 32, long: 34 })).toBe(0);
    expect(distanceMetres({ lat: 0, long: 179.5 }, { lat: 0, long: -179.5 })).toBeCloseTo(
      111_195,
      -1,
    );
  });
});

describe('formatDistance', () => {
  it('rounds to tens of metres, then to tenths, then to whole kilometres', () => {
    const en = LANGUAGES.en.locale;
    expect(formatDistance(3, en)).toBe('10 m');
    expect(formatDistance(642, en)).toBe('640 m');
    expect(formatDistance(994, en)).toBe('990 m');
    expect(formatDistance(996, en)).toBe('1 km');
    expect(formatDistance(1449, en)).toBe('1.4 km');
    expect(formatDistance(23_700, en)).toBe('24 km');
  });

  it('speaks the language', () => {
    expect(formatDistance(1400, LANGUAGES.he.locale)).toContain('ק״מ');
    expect(formatDistance(1400, LANGUAGES.ar.locale)).toContain('كم');
    expect(formatDistance(1400, LANGUAGES.ar.locale)).toContain('1.4');
  });
});

describe('readLatLong', () => {
  it('takes numbers and numbers in text', () => {
    expect(readLatLong(32.1, '34.8')).toEqual({ lat: 32.1, long: 34.8 });
    expect(readLatLong(-90, 180)).toEqual({ lat: -90, long: 180 });
  });

  it.each([
    [undefined, 34],
    ['', 34],
    ['here', 34],
    [91, 34],
    [32, -181],
    [NaN, 34],
    [null, null],
    [true, 1],
  ])('refuses %s, %s', (lat, long) => {
    expect(readLatLong(lat, long)).toBeNull();
  });
});
