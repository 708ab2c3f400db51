// The constants and limits that the specification names, where they stand in the code.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import MessageFormat from '@messageformat/core';
import { afterAll, expect, test, vi } from 'vitest';
import { PRIVACY_UPDATED } from '#/features/info/privacy-updated.ts';
import { MOST_CACHED } from '#/features/notifications/notification.ts';
import {
  MOST_PLACES,
  SUGGEST_DELAY,
  SUGGEST_FROM,
} from '#/features/places/queries/search-places.ts';
import { DRY } from '#/features/weather/forecast.ts';
import { isolateOthers } from '#/i18n/isolate.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import arabic from '#/i18n/messages/ar.json' with { type: 'json' };
import english from '#/i18n/messages/en.json' with { type: 'json' };
import hebrew from '#/i18n/messages/he.json' with { type: 'json' };
import { DEFAULT_LOCATION } from '#/core/place.ts';
import { QUEUE_DELAY } from '#/map/request-queue.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8');

vi.stubGlobal('navigator', { onLine: true });
vi.stubGlobal('addEventListener', () => undefined);
afterAll(() => vi.unstubAllGlobals());

test('places: the default one, three answers, suggestions from three letters after 250 ms', () => {
  expect(DEFAULT_LOCATION).toEqual({ lat: 32.09992, long: 34.809212 });
  expect([MOST_PLACES, SUGGEST_FROM, SUGGEST_DELAY]).toEqual([3, 3, 250]);
});

test('clusters are asked for after 300 ms', () => {
  expect(QUEUE_DELAY).toBe(300);
});

test('what is cached is fresh for 24 hours and kept as long', async () => {
  const { queryClient } = await import('#/data/query-client.ts');
  expect(queryClient.getDefaultOptions().queries).toMatchObject({
    staleTime: DAY_MS,
    gcTime: DAY_MS,
  });
});

test('weather is refreshed, fresh and kept for 60 s, and 5 % of rain is none', async () => {
  const { weatherQueryOptions } = await import('#/features/weather/queries/weather.ts');
  expect(weatherQueryOptions(DEFAULT_LOCATION)).toMatchObject({
    staleTime: 60_000,
    gcTime: 60_000,
    refetchInterval: 60_000,
  });
  expect(DRY).toBe(5);
});

test('200 notifications are cached', () => {
  expect(MOST_CACHED).toBe(200);
});

test.each([
  ['en', english, 'Last updated 1.7.25'],
  ['he', hebrew, 'עודכן לאחרונה ב־1.7.25'],
  ['ar', arabic, 'آخر تحديث: 1.7.25'],
] as const)('the privacy policy says in %s that it was last updated 1.7.25', (...shown) => {
  const [language, texts, sentence] = shown;
  expect(PRIVACY_UPDATED.iso).toBe('2025-07-01');
  const written = new MessageFormat(language).compile(texts['info.updated']);
  expect(
    written(isolateOthers({ date: PRIVACY_UPDATED.shown }, LANGUAGES[language].direction)),
  ).toBe(sentence);
});

// These cannot be imported without a browser: they are read where they are written.
test.each([
  ['ui/theme/base.css', /#preloader \{[^}]*transition: opacity 0\.5s/],
  ['features/shell/components/bone-game.module.css', /\.tossed \{[^}]*animation: toss 0\.8s/],
  ['map/park-map.ts', /HOME_ZOOM = 16;/],
  ['ui/popup.ts', /POPUP_MS = 2000;/],
  ['data/supabase.ts', /eventsPerSecond: 10\b/],
  ['data/photos/upload-image.ts', /CACHE_SECONDS = 2_592_000;/],
  ['core/preload-routes.ts', /LATEST_MS = 2000;/],
  ['platform/push.ts', /IMPORTANCE = 3;[^]*CHANNEL = 'default'/],
])('%s holds %s', async (file, constant) => {
  expect(await read(file)).toMatch(constant);
});
