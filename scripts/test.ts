// `npm test`: runs every check of the project and prints `N passed, N failed` as the last line.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installBrowsers } from '../testing/chromium.ts';
import { readPlaywright, readVitest, type Counts, type Timed } from './lib/test-reports.ts';

const root = path.resolve(import.meta.dirname, '..');
const reports = mkdtempSync(path.join(os.tmpdir(), 'packpark-reports-'));
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const timed: Timed[] = [];

/** Intended maximum duration in minutes on two cores. A longer run prints its slowest tests. */
const GOAL_MINUTES = 8;
const SLOWEST = 20;

interface Command {
  /** If set, the output is printed at the end under this name; otherwise immediately. */
  aside?: string;
  env?: Record<string, string>;
}

const run = (command: string, args: string[], { aside, env }: Command = {}) =>
  new Promise<number>((resolve) => {
    const output = aside === undefined ? 'inherit' : 'pipe';
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env },
    });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => chunks.push(part));
    child.on('error', () => resolve(1));
    child.on('close', (code) => {
      if (aside !== undefined)
        process.stdout.write(`\n== ${aside}\n${Buffer.concat(chunks).toString()}`);
      resolve(code ?? 1);
    });
  });

function add(counts: Counts) {
  for (const name of ['passed', 'failed', 'skipped'] as const) total[name] += counts[name];
}

/** Runs a script that counts as one test. */
async function check(name: string, ...args: string[]) {
  const code = await run('npm', ['run', '-s', ...args], { aside: name });
  add({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
}

/** Runs a test runner that writes a JSON report. A crash outside of a test counts as a failure. */
async function suite<Report>(
  args: string[],
  report: string,
  read: (report: Report) => { counts: Counts; timed: Timed[] },
  command: Command,
) {
  const code = await run('npx', args, command);
  let counts: Counts = { passed: 0, failed: 1, skipped: 0 };
  try {
    const found = read(JSON.parse(readFileSync(report, 'utf8')) as Report);
    ({ counts } = found);
    timed.push(...found.timed);
  } catch {
    // Without a report, no test counts as passed.
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  add(counts);
}

async function e2eTests() {
  installBrowsers();
  const report = path.join(reports, 'playwright.json');
  process.stdout.write('\n== e2e tests\n');
  await suite(
    ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=dot,json'],
    report,
    readPlaywright,
    { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report } },
  );
}

function unitAndServerTests() {
  const report = path.join(reports, 'vitest.json');
  return suite(
    [
      'vitest',
      'run',
      '--project=!by-hand',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    report,
    (read: Parameters<typeof readVitest>[0]) => readVitest(read, root),
    { aside: 'unit and server tests' },
  );
}

/** Runs checks in parallel. If one throws, that counts as a failure and the others continue. */
async function atOnce(...checks: Promise<void>[]) {
  for (const one of await Promise.allSettled(checks))
    if (one.status === 'rejected') {
      process.stderr.write(`${(one.reason as Error).message}\n`);
      total.failed += 1;
    }
}

try {
  // Generates the route tree first, because the build, the type check and the linter read it.
  await check('routes', 'generate', 'routes');
  // These run in parallel, because each leaves a core idle for about half of its time.
  await atOnce(
    check('build', 'build').then(unitAndServerTests),
    check('types', 'typecheck'),
    check('lint', 'lint'),
    check('texts', 'i18n:check'),
  );
  // The e2e tests run alone, because otherwise pages would time out on two cores.
  await atOnce(e2eTests());
} finally {
  rmSync(reports, { recursive: true, force: true });
}

const minutes = process.uptime() / 60;
if (minutes > GOAL_MINUTES) {
  const slowest = timed
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ file, what, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}  ${what}\n`);
  process.stdout.write(
    `\nThis took ${minutes.toFixed(1)} minutes, and ${GOAL_MINUTES} is the goal on two cores. Longest, beside others:\n${slowest.join('')}`,
  );
}

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
