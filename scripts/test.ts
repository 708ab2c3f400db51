// `npm test`: every check of the project, and at the end one line, `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installBrowsers } from './chromium.ts';
import { countPlaywright, countVitest, type Counts } from './test-counts.ts';

const root = path.resolve(import.meta.dirname, '..');
const reports = mkdtempSync(path.join(os.tmpdir(), 'packpark-reports-'));
const total: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Runs a command, showing what it says; resolves with its exit code. */
function run(command: string, args: string[], env: Record<string, string> = {}) {
  return new Promise<number>((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function add(counts: Counts) {
  for (const name of ['passed', 'failed', 'skipped'] as const) total[name] += counts[name];
}

/** Like `run`, but what the command says is shown when it ends, under the name of its check. */
function runAside(name: string, command: string, args: string[]) {
  return new Promise<number>((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const said: Buffer[] = [];
    child.stdout.on('data', (part) => said.push(part));
    child.stderr.on('data', (part) => said.push(part));
    child.on('error', () => resolve(1));
    child.on('close', (code) => {
      process.stdout.write(`\n== ${name}\n${Buffer.concat(said).toString()}`);
      resolve(code ?? 1);
    });
  });
}

const countWhole = (code: number) =>
  add({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

/** A check that passes or fails as a whole. */
async function check(name: string, command: string, args: string[]) {
  process.stdout.write(`\n== ${name}\n`);
  countWhole(await run(command, args));
}

/** Checks that only read, all at once: each by itself leaves a core idle. */
async function checks(scripts: Record<string, string[]>) {
  const running = Object.entries(scripts).map(([name, args]) => runAside(name, 'npm', args));
  for (const code of await Promise.all(running)) countWhole(code);
}

/** A test runner that writes a JSON report: its tests are counted, and a crash outside a test counts as a failure. */
async function suite<Report>(
  name: string,
  command: string,
  args: string[],
  report: string,
  count: (report: Report) => Counts,
  env: Record<string, string> = {},
) {
  process.stdout.write(`\n== ${name}\n`);
  const code = await run(command, args, env);
  let counts: Counts;
  try {
    counts = count(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  add(counts);
}

try {
  await check('build', 'npm', ['run', '-s', 'build']);
  await checks({
    types: ['run', '-s', 'typecheck'],
    lint: ['run', '-s', 'lint'],
    texts: ['run', '-s', 'i18n:check'],
    'database types': ['run', '-s', 'db:types', '--', '--check'],
  });
  const vitest = path.join(reports, 'vitest.json');
  await suite(
    'unit and server tests',
    'npx',
    ['vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitest}`],
    vitest,
    countVitest,
  );
  installBrowsers();
  const playwright = path.join(reports, 'playwright.json');
  await suite(
    'browser journeys',
    'npx',
    ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=dot,json'],
    playwright,
    countPlaywright,
    { PLAYWRIGHT_JSON_OUTPUT_NAME: playwright },
  );
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  total.failed += 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
