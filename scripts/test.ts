// `npm test`: every check of the project, and at the end one line, `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installBrowsers } from '../testing/chromium.ts';
import {
  type PlaywrightTimes,
  slowestLines,
  type Timed,
  timePlaywright,
  timeVitest,
  type VitestTimes,
} from './slowest-tests.ts';
import { countPlaywright, countVitest, type Counts } from './test-counts.ts';

const root = path.resolve(import.meta.dirname, '..');
const reports = mkdtempSync(path.join(os.tmpdir(), 'packpark-reports-'));
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const timed: Timed[] = [];

/** On two cores; a run that took longer ends with what took longest in it. */
const GOAL_MINUTES = 8;
const SLOWEST = 20;

/** Runs a command, showing what it says; resolves with its exit code. */
const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<number>((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });

function add(counts: Counts) {
  for (const name of ['passed', 'failed', 'skipped'] as const) total[name] += counts[name];
}

type Run = typeof run;

/** Like `run`, but what the command says is shown when it ends, under the name of its check. */
const runAside =
  (name: string): Run =>
  (command, args, env = {}) =>
    new Promise<number>((resolve) => {
      const child = spawn(command, args, {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      });
      const said: Buffer[] = [];
      child.stdout.on('data', (part) => said.push(part));
      child.stderr.on('data', (part) => said.push(part));
      child.on('error', () => resolve(1));
      child.on('close', (code) => {
        process.stdout.write(`\n== ${name}\n${Buffer.concat(said).toString()}`);
        resolve(code ?? 1);
      });
    });

const countWhole = (code: number) =>
  add({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

/** A script that passes or fails as a whole. */
async function check(name: string, ...args: string[]) {
  countWhole(await runAside(name)('npm', ['run', '-s', ...args]));
}

/** A test runner that writes a JSON report: its tests are counted, and a crash outside a test counts as a failure. */
async function suite<Counted, Times>(
  runner: Run,
  args: string[],
  report: string,
  count: (report: Counted) => Counts,
  time: (report: Times) => Timed[],
  env: Record<string, string> = {},
) {
  const code = await runner('npx', args, env);
  let counts: Counts;
  try {
    const read: Counted & Times = JSON.parse(readFileSync(report, 'utf8'));
    counts = count(read);
    timed.push(...time(read));
  } catch {
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  add(counts);
}

async function journeys() {
  installBrowsers();
  const report = path.join(reports, 'playwright.json');
  process.stdout.write('\n== browser journeys\n');
  await suite(
    run,
    ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=dot,json'],
    report,
    countPlaywright,
    (times: PlaywrightTimes) => timePlaywright(times, 'e2e'),
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  );
}

/** A check that breaks is a failure, and the others go on. */
async function atOnce(...checks: Promise<void>[]) {
  for (const one of await Promise.allSettled(checks))
    if (one.status === 'rejected') {
      process.stderr.write(`${(one.reason as Error).message}\n`);
      total.failed += 1;
    }
}

function unitAndServerTests() {
  const report = path.join(reports, 'vitest.json');
  return suite(
    runAside('unit and server tests'),
    ['vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    report,
    countVitest,
    (times: VitestTimes) => timeVitest(times, root),
  );
}

try {
  await check('build', 'build');
  // Each by itself waits for other processes half of the time, and ends with a core that has nothing to do.
  await atOnce(
    check('types', 'typecheck'),
    check('lint', 'lint'),
    check('texts', 'i18n:check'),
    unitAndServerTests(),
  );
  // By themselves: beside the others, two cores are so late that pages meet the bounds of waiting.
  await atOnce(journeys());
} finally {
  rmSync(reports, { recursive: true, force: true });
}

const minutes = process.uptime() / 60;
if (minutes > GOAL_MINUTES)
  process.stdout.write(
    `\nThis took ${minutes.toFixed(1)} minutes, and ${GOAL_MINUTES} is the goal on two cores. Longest, beside others:\n${slowestLines(timed, SLOWEST).join('\n')}\n`,
  );

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
