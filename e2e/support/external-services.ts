// External services on loopback: tiles, weather, geocoding and routes, which a test can change or break.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { drawnTile } from './drawn-tile.ts';

interface FoundAddress {
  display_name: string;
  lat: string;
  lon: string;
  address?: { road?: string; house_number?: string; city?: string };
}

export interface ExternalServices {
  url: string;
  /** Plain tiles are fast; drawn ones are for screenshots. */
  tiles: 'plain' | 'drawn';
  /** The forecast for every hour of yesterday, today and tomorrow, sunlight in watts per square metre; null makes it fail. */
  weather: {
    temperature: number;
    rain: number;
    code: number;
    sun?: number;
    /** Time zone and time of 'today'; by default Israel and now. */
    zone?: string;
    at?: Date;
  } | null;
  /** The geocoder's results; null makes it fail. */
  places: FoundAddress[] | null;
  /** Captcha tokens that the service accepts, each for one request. */
  captchaAnswers: Set<string>;
  /** Requested paths in order, so a test can assert that a request was not sent. */
  requests: string[];
  /** Restores the initial state, whatever the previous test has changed. */
  reset(): void;
  close(): Promise<void>;
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function weatherToday({
  temperature,
  rain,
  code,
  sun = 0,
  zone = 'Asia/Jerusalem',
  at = new Date(),
}: NonNullable<ExternalServices['weather']>) {
  const today = Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at));
  const hours = Array.from({ length: 72 }, (_, hour) => hour - 24);
  return {
    timezone: zone,
    utc_offset_seconds: 7200,
    hourly: {
      time: hours.map((hour) => new Date(today + hour * 3_600_000).toISOString().slice(0, 16)),
      temperature_2m: hours.map(() => temperature),
      precipitation_probability: hours.map(() => rain),
      weathercode: hours.map(() => code),
      shortwave_radiation: hours.map(() => sun),
    },
  };
}

/** A straight line between the two points of an OSRM request, `/route/v1/foot/lon,lat;lon,lat`. */
function route(path: string) {
  const [from, to] = (path.split('/').at(-1)?.split('?')[0] ?? '')
    .split(';')
    .map((pair) => pair.split(',').map(Number));
  return {
    code: 'Ok',
    routes: [
      { distance: 640, duration: 480, geometry: { type: 'LineString', coordinates: [from, to] } },
    ],
  };
}

const undisturbed = (): Omit<ExternalServices, 'url' | 'reset' | 'close'> => ({
  tiles: 'plain',
  weather: { temperature: 21, rain: 0, code: 0 },
  places: [{ display_name: 'Ahuza Street 1, Raanana', lat: '32.1847', lon: '34.8713' }],
  captchaAnswers: new Set(),
  requests: [],
});

export async function startExternalServices(): Promise<ExternalServices> {
  const tile = await sharp({
    create: { width: 256, height: 256, channels: 3, background: '#e8ead8' },
  })
    .png()
    .toBuffer();

  const services: ExternalServices = {
    url: '',
    ...undisturbed(),
    reset: () => void Object.assign(services, undisturbed()),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    services.requests.push(path);
    if (path.startsWith('/tiles/')) {
      // OpenStreetMap's servers send the same headers.
      response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' });
      if (services.tiles === 'plain') response.end(tile);
      else void drawnTile(path).then((drawn) => response.end(drawn));
    } else if (path.startsWith('/v1/forecast')) {
      if (services.weather) send(response, weatherToday(services.weather));
      else send(response, { error: true }, 500);
    } else if (path.startsWith('/search')) {
      if (services.places) send(response, services.places);
      else send(response, { error: true }, 500);
    } else if (path.startsWith('/reverse')) {
      if (services.places) send(response, services.places[0] ?? { error: 'Unable to geocode' });
      else send(response, { error: true }, 500);
    } else if (path === '/siteverify') {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const given = new URLSearchParams(body).get('response') ?? '';
        send(response, { success: services.captchaAnswers.delete(given) });
      });
    } else if (path.startsWith('/route/')) {
      send(response, route(path));
    } else {
      send(response, { error: true }, 404);
    }
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  services.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return services;
}
