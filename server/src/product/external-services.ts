// Probes the external services for tiles, weather and addresses once each.
import { tileUrl, type Settings } from '#/product/settings.ts';

interface ServiceResponse {
  name: 'tiles' | 'weather' | 'addresses';
  answer: number | null;
}

/** @param timeout in milliseconds, for each service */
export function probeExternalServices(
  settings: Settings,
  timeout: number,
): Promise<ServiceResponse[]> {
  const services: Record<ServiceResponse['name'], string> = {
    tiles: tileUrl(settings)
      .replace('{s}', 'a')
      .replace('{z}', '0')
      .replace('{x}', '0')
      .replace('{y}', '0'),
    weather: `${settings.WEATHER_URL}/v1/forecast?latitude=32&longitude=34.8&hourly=temperature_2m&forecast_days=1`,
    addresses: `${settings.GEOCODER_URL}/search?q=Tel+Aviv&limit=1&format=json`,
  };
  return Promise.all(
    (Object.keys(services) as ServiceResponse['name'][]).map(async (name) => {
      const response = await fetch(services[name], {
        headers: { 'user-agent': 'Packpark/1.0 (doctor)' },
        signal: AbortSignal.timeout(timeout),
      }).catch(() => null);
      await response?.body?.cancel();
      return { name, answer: response?.status ?? null };
    }),
  );
}
