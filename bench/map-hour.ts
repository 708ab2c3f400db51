// Goal 21 on a phone: bytes of an hour of looking at a country's map, counted on the wire between a browser and the host.
// It looks for HOUR_MINUTES (4) and says what an hour of that is; what comes seldom is counted as often as an hour has it.
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { launchBrowser } from './lib/lab.ts';
import { startCountryHost } from './lib/country.ts';
import { personId } from './lib/country-numbers.ts';
import { keepAlive, send } from './lib/request.ts';
import { round } from './lib/statistics.ts';

const MINUTES = Number(process.env.HOUR_MINUTES ?? 4);
const CHECK_INS_PER_MINUTE = 60;
/** All counts are asked for again so often in an hour. */
const COMPLETE_PER_HOUR = 6;
const SECRET = 'a secret of the benchmark with at least 32 characters';

const listening = async (server: net.Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** Passes bytes on to `target.port` and counts those of both directions. */
function countingProxy(target: { port: number }) {
  const counted = { up: 0, down: 0 };
  const server = net.createServer((client) => {
    const upstream = net.connect(target.port, '127.0.0.1');
    client.on('data', (chunk) => (counted.up += chunk.length));
    upstream.on('data', (chunk) => (counted.down += chunk.length));
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  return { server, counted };
}

/** A weather service: rain is likely, so that the badge shows and is renewed. */
function weatherService(): http.Server {
  return http.createServer((_request, response) => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(new Date());
    const hours = Array.from({ length: 24 }, (_, hour) => hour);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        timezone: 'Asia/Jerusalem',
        utc_offset_seconds: 7200,
        hourly: {
          time: hours.map((hour) => `${day}T${String(hour).padStart(2, '0')}:00`),
          temperature_2m: hours.map(() => 24.5),
          precipitation_probability: hours.map(() => 40),
          weathercode: hours.map(() => 2),
        },
      }),
    );
  });
}

export async function run() {
  const target = { port: 0 };
  const { server: proxy, counted } = countingProxy(target);
  const site = `http://127.0.0.1:${await listening(proxy)}`;
  const weather = weatherService();
  const host = await startCountryHost('full', {
    JWT_SECRET: SECRET,
    SITE_URL: site,
    WEATHER_URL: `http://127.0.0.1:${await listening(weather)}`,
  });
  target.port = Number(new URL(host.url).port);
  const agent = keepAlive(8);
  const browser = await launchBrowser();
  let stopped = false;
  try {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: 'he-IL',
      isMobile: true,
      hasTouch: true,
    });
    const page = await context.newPage();
    let polls = 0;
    page.on('request', (request) => {
      if (request.url().includes('/rpc/live_counts')) polls += 1;
    });
    await page.goto(`${site}/?lat=32.08&long=34.78`);
    // The first visit ends with the second poll: all files are on the device by then.
    while (polls < 2) await pause(200);
    const visit = counted.up + counted.down;
    const first = polls;

    const key = new TextEncoder().encode(SECRET);
    const comings = (async () => {
      for (let n = 0; !stopped; n += 1) {
        const token = await new SignJWT({ role: 'authenticated', sub: personId(9000 + n) })
          .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
          .setExpirationTime('1h')
          .sign(key);
        await send(agent, `${host.url}/rest/v1/rpc/check_in`, {
          headers: { apikey: host.anonKey, authorization: `Bearer ${token}` },
          body: { p_park_id: 1 + ((n * 7) % 3000) },
        });
        await pause(60_000 / CHECK_INS_PER_MINUTE);
      }
    })();
    const { up, down } = counted;
    await pause(MINUTES * 60_000);
    const [sent, received] = [counted.up - up, counted.down - down];
    stopped = true;
    await comings;
    const all = await send(
      agent,
      `${host.url}/rest/v1/rpc/live_counts?p_fresh=true&apikey=${host.anonKey}`,
      // As browsers ask.
      { headers: { 'accept-encoding': 'br' } },
    );
    const perHour = ((sent + received) / MINUTES) * 60 + COMPLETE_PER_HOUR * all.bytes;
    const asked = polls - first;
    return [
      {
        goal: 21,
        what: `a phone looks at the map for an hour: from ${MINUTES} minutes with ${asked} polls, ${round(sent / asked, 0)} bytes up and ${round(received / asked, 0)} down for each, all else included`,
        figure: round(perHour / 1000, 0),
        unit: 'KB',
        control: 'opening the map for the first time, all files of the app included',
        controlFigure: round(visit / 1000, 0),
        ratio: round(perHour / visit),
        pass: perHour <= 300_000,
      },
    ];
  } finally {
    stopped = true;
    await browser.close();
    await agent.destroy();
    await host.stop();
    proxy.close();
    weather.close();
  }
}
