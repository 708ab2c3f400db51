// 'Go now?': what it says on a hot noon, in rain, in a crowd, before the crowd, and when little is known.
import { describe, expect, it } from 'vitest';
import {
  goNow,
  isShaded,
  mainReason,
  type BusyHour,
  type GoNowInput,
} from '#/features/parks/go-now.ts';

const day = (temperature: (hour: number) => number, rain: (hour: number) => number = () => 0) =>
  Array.from({ length: 24 }, (_, hour) => ({
    hour,
    temperature: temperature(hour),
    rain: rain(hour),
  }));

const busy = (dogs: (hour: number) => number): BusyHour[] =>
  Array.from({ length: 24 }, (_, hour) => ({
    day_kind: 'weekday',
    hour,
    dogs: dogs(hour),
    samples: 20,
  }));

const calm: GoNowInput = {
  hour: 10,
  dayKind: 'weekday',
  dogsNow: 3,
  shade: 6,
  conditions: [],
  weather: day(() => 20),
  busyHours: [],
};

const kinds = (input: GoNowInput) => goNow(input).reasons.map((reason) => reason.kind);

describe('goNow', () => {
  it('says good now on a mild dry day with a few dogs', () => {
    expect(goNow(calm)).toMatchObject({ verdict: 'goodNow', hour: null });
    expect(kinds(calm)).toEqual(['dry', 'mild', 'dogs']);
  });

  it('sends a hot unshaded noon to the first hour that is really better', () => {
    const hot = { ...calm, hour: 13, shade: 4, weather: day((hour) => (hour < 18 ? 33 : 26)) };
    expect(goNow(hot)).toMatchObject({ verdict: 'betterLater', hour: 18 });
    expect(kinds(hot).slice(0, 2)).toEqual(['heat', 'sunny']);
  });

  it('lets shade make the difference', () => {
    const warm = { ...calm, hour: 13, weather: day(() => 28) };
    expect(goNow({ ...warm, shade: 2 }).verdict).toBe('betterLater');
    expect(goNow({ ...warm, shade: 12 }).verdict).toBe('goodNow');
    expect(kinds({ ...warm, shade: 12 })).toContain('shaded');
  });

  it('waits for the rain to pass, and names no hour when it rains all day', () => {
    const shower = day(
      () => 15,
      (hour) => (hour < 12 ? 80 : 5),
    );
    expect(goNow({ ...calm, weather: shower })).toMatchObject({ verdict: 'betterLater', hour: 12 });
    const flood = day(
      () => 15,
      () => 90,
    );
    expect(goNow({ ...calm, weather: flood })).toMatchObject({
      verdict: 'betterLater',
      hour: null,
    });
  });

  it('calls a quiet hour before a busy one a quiet window, until then', () => {
    const evening = busy((hour) => (hour >= 17 && hour <= 20 ? 9 : 1));
    expect(goNow({ ...calm, dogsNow: 1, busyHours: evening })).toMatchObject({
      verdict: 'quietWindow',
      hour: 17,
    });
    expect(goNow({ ...calm, hour: 21, dogsNow: 1, busyHours: evening }).verdict).toBe('goodNow');
  });

  it('sends away from a crowd when it usually thins out', () => {
    const crowd = { ...calm, hour: 18, dogsNow: 9, busyHours: busy((hour) => (hour < 20 ? 8 : 2)) };
    expect(goNow(crowd)).toMatchObject({ verdict: 'betterLater', hour: 20 });
  });

  it('sends nobody to a park at night', () => {
    const night = { ...calm, hour: 3, dogsNow: 9, busyHours: busy(() => 0) };
    expect(goNow(night)).toMatchObject({ verdict: 'betterLater', hour: 6 });
    expect(goNow({ ...night, hour: 22 })).toMatchObject({ verdict: 'betterLater', hour: null });
  });

  it('never recommends a closed gate', () => {
    const closed = { ...calm, conditions: ['gateClosed'] };
    expect(goNow(closed)).toMatchObject({ verdict: 'betterLater', hour: null });
    expect(kinds(closed)[0]).toBe('gateClosed');
  });

  it('says that it knows no forecast instead of guessing', () => {
    const blind = { ...calm, weather: [] };
    expect(goNow(blind).verdict).toBe('goodNow');
    expect(kinds(blind)).toEqual(['noForecast', 'dogs']);
  });

  it('knows nothing from a park without a history, and empty hours from one with it', () => {
    const rows = busy((hour) => (hour === 17 ? 9 : 0));
    const morning = { ...calm, dogsNow: 0 };
    const without = rows.map((row) => ({ ...row, samples: 0 }));
    expect(goNow({ ...morning, busyHours: without }).verdict).toBe('goodNow');
    const withHistory = rows.map((row) => ({ ...row, samples: row.dogs > 0 ? 30 : 0 }));
    expect(goNow({ ...morning, busyHours: withHistory })).toMatchObject({
      verdict: 'quietWindow',
      hour: 17,
    });
    expect(kinds({ ...morning, busyHours: withHistory })).toContain('usuallyQuiet');
  });
});

describe('isShaded', () => {
  it('keeps the sunny rest around noon', () => {
    expect(isShaded(12, 4)).toBe(false);
    expect(isShaded(7, 4)).toBe(true);
    expect(isShaded(18, 4)).toBe(true);
    expect(isShaded(12, 12)).toBe(true);
    expect(isShaded(23, 0)).toBe(true);
  });
});

describe('mainReason', () => {
  it('names what a verdict is most for, and not the dogs, which are counted beside it', () => {
    expect(mainReason(goNow(calm))).toMatchObject({ kind: 'mild', temperature: 20 });
    const closed = { ...calm, conditions: ['muddy', 'gateClosed'] };
    expect(mainReason(goNow(closed))).toMatchObject({ kind: 'gateClosed' });
    const crowd = { ...calm, hour: 18, dogsNow: 9, busyHours: busy((hour) => (hour < 20 ? 8 : 2)) };
    expect(mainReason(goNow(crowd))).toMatchObject({ kind: 'usuallyBusy' });
  });

  it('names none where nothing is known', () => {
    expect(mainReason(goNow({ ...calm, weather: [] }))).toBeUndefined();
    expect(mainReason(goNow({ ...calm, dogsNow: 9, weather: [] }))).toBeUndefined();
  });
});
