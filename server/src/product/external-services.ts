// Sends one request to each external service: tiles (unless there is a map file), weather and addresses.
import { tileUrl, type Settings } from '#/product/settings.ts';

interface ServiceResponse {
  name: 'tiles' | 'weather' | 'addresses';
  status: number | null;
}

/** @param timeout in milliseconds, for each service */
export function probeExternalServices(
  settings: Settings,
  timeout: number,
): Promise<ServiceResponse[]> {
  const tiles = tileUrl(settings)
    .replace('{s}', 'a')
    .replace('{z}', '0')
    .replace('{x}', '0')
    .replace('{y}', '0');
  const services: [ServiceResponse['name'], string][] = [
    // A map file replaces the tile server and is checked elsewhere.
    ...(settings.MAP_FILE === undefined ? [['tiles', tiles] as ['tiles', string]] : []),
    [
      'weather',
      `${settings.WEATHER_URL}/v1/forecast?latitude=32&longitude=34.8&hourly=temperature_2m&forecast_days=1`,
    ],
    ['addresses', `${settings.GEOCODER_URL}/search?q=Tel+Aviv&limit=1&format=json`],
  ];
  return Promise.all(
    services.map(async ([name, url]) => {
      const response = await fetch(url, {
        headers: { 'user-agent': 'Packpark/1.0 (doctor)' },
        signal: AbortSignal.timeout(timeout),
      }).catch(() => null);
      await response?.body?.cancel();
      return { name, status: response?.status ?? null };
    }),
  );
}
