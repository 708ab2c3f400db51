// Benchmark: the time until the user's second tab and second phone show a check-in, and the number of requests that an idle open
// page sends in ten minutes.
import type { Page } from '@playwright/test';
import type { Result } from './goals.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { newContext, launchBrowser } from './lib/simulated-phone.ts';
import { signUp } from './lib/users.ts';
import { median } from './lib/statistics.ts';

const RUNS = 7;
const PARK = 1;

const bar = (page: Page) => page.getByRole('region', { name: 'You are here' });

export async function run(): Promise<Result[]> {
  const host = await startBenchHost();
  const browser = await launchBrowser();
  const { client, credentials, session } = await signUp(host, 'devices');
  const laptop = await newContext(browser, session);
  const again = await client.auth.signInWithPassword(credentials);
  const phone = await newContext(browser, again.data.session);
  const pages = [await laptop.newPage(), await laptop.newPage(), await phone.newPage()];
  for (const page of pages) {
    const joined = page.waitForEvent('websocket');
    await page.goto(`${host.url}/parks/${PARK}`);
    await joined;
    await page.getByRole('button', { name: 'Check in here' }).waitFor();
  }
  const [first, tab, other] = pages as [Page, Page, Page];

  const figures = { tab: [] as number[], phone: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    await first.getByRole('button', { name: 'Check in here' }).click();
    const done = first.waitForResponse((response) => response.url().includes('/rpc/check_in'));
    const confirm = first.getByRole('dialog').getByRole('button', { name: 'Check in' });
    await confirm.click();
    await done;
    const since = performance.now();
    await Promise.all([
      bar(tab)
        .waitFor()
        .then(() => figures.tab.push(performance.now() - since)),
      bar(other)
        .waitFor()
        .then(() => figures.phone.push(performance.now() - since)),
    ]);
    await first.getByRole('button', { name: 'Check out' }).click();
    await Promise.all(pages.map((page) => bar(page).waitFor({ state: 'hidden' })));
    const skip = first.getByRole('dialog').getByRole('button', { name: 'Skip' });
    await skip.click();
  }

  const idle = await phone.newPage();
  await idle.clock.install();
  await idle.goto(`${host.url}/parks/${PARK}`);
  await idle.waitForLoadState('networkidle');
  const requested: string[] = [];
  idle.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/assets/')) requested.push(pathname);
  });
  // The clock advances by one polling interval at a time, so that each response arrives before the next request is due.
  for (let poll = 0; poll < 40; poll++) {
    await idle.clock.runFor(15_000);
    await idle.waitForLoadState('networkidle');
  }
  return [
    { goal: 'second tab', figure: median(figures.tab) },
    { goal: 'second phone', figure: median(figures.phone) / 1000 },
    { goal: 'idle requests', figure: requested.length, note: [...new Set(requested)].join(', ') },
  ];
}
