// Tests how often the forecast is requested.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const fetchPublicFunction = vi.hoisted(() => vi.fn());
vi.mock('#/data/public-requests.ts', () => ({ fetchPublicFunction }));

const hourly = {
  time: [],
  temperature_2m: [],
  precipitation_probability: [],
  weathercode: [],
  shortwave_radiation: [],
};
const place = { lat: 32.09992, long: 34.809212 };

beforeEach(() => {
  // Without a window, the query client assumes that it runs on a server and fetches only once.
  vi.resetModules();
  vi.stubGlobal('window', new EventTarget());
  vi.useFakeTimers();
  fetchPublicFunction.mockReset();
  fetchPublicFunction.mockResolvedValue({ timezone: 'Asia/Jerusalem', hourly });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the forecast is requested once a minute while it is shown, and once per 5 km', async () => {
  const { QueryClient, QueryObserver } = await import('@tanstack/react-query');
  const { weatherQueryOptions } = await import('#/features/weather/queries/weather.ts');
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } });
  const stop = new QueryObserver(client, weatherQueryOptions(place)).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(fetchPublicFunction).toHaveBeenCalledTimes(1);
  expect(fetchPublicFunction.mock.calls[0]).toEqual([
    'weather',
    { latitude: '32.10', longitude: '34.80' },
  ]);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetchPublicFunction).toHaveBeenCalledTimes(2);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(client.getQueryCache().getAll()).toEqual([]);
});
