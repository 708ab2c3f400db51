// Benchmark: the number of SQL statements for the unseen count, a list page and a park page. It counts REST requests, each of which
// runs one statement.
import type { Browser } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';
import { startBenchHost, type BenchHost } from './lib/bench-host.ts';
import type { Result } from './goals.ts';
import { newContext, launchBrowser } from './lib/simulated-phone.ts';
import { signUp } from './lib/users.ts';

/**
 * Returns the REST paths that a new browser requests on one page.
 * @param last the last request to wait for, because on a busy machine the network may be idle before it
 */
async function countStatements(
  browser: Browser,
  host: BenchHost,
  path: string,
  last: string,
  session?: Session,
) {
  const context = await newContext(browser, session);
  const page = await context.newPage();
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/rest/v1/') && request.method() !== 'OPTIONS')
      paths.push(pathname.replace('/rest/v1/', ''));
  });
  await Promise.all([
    page.waitForResponse((response) => response.url().includes(`/rest/v1/${last}`)),
    page.goto(`${host.url}${path}`),
  ]);
  await page.waitForLoadState('networkidle');
  await context.close();
  return paths;
}

const row = (goal: Result['goal'], paths: string[]): Result => ({
  goal,
  figure: paths.length,
  note: paths.join(', '),
});

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost();
  const browser = await launchBrowser();
  const { session } = await signUp(host, 'statements');
  const list = await countStatements(browser, host, '/parks', 'rpc/park_cards');
  const park = await countStatements(browser, host, '/parks/1', 'rpc/park_cards');
  const about = await countStatements(browser, host, '/about', 'notifications', session);
  const unseen = about.filter((path) => path === 'notifications');
  return [row('unseen count', unseen), row('list page', list), row('park page', park)];
}
