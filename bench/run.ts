// `npm run bench [name …]`: runs the benchmarks one after the other and keeps their latest figures in bench/results/.
// Nothing else may be at work on the machine, and no special priority: a real-time one stops the benchmark itself for 50 ms in each second.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What each benchmark's `run()` resolves with, once per goal (its number orders the table of results; what it asks is the `pass` of that benchmark):
 * {goal: number, what: string, figure: number|string, unit: string, control?: string, controlFigure?: number, ratio?: number, pass?: boolean}
 */
const folder = import.meta.dirname;
const results = path.join(folder, 'results');
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => path.basename(file, '.ts'))
  .filter((name) => wanted.length === 0 || wanted.includes(name));

function describeMachine() {
  return {
    cpus: os.cpus().length,
    model: os.cpus()[0]?.model,
    memory: `${Math.round(os.totalmem() / 2 ** 30)} GiB`,
    node: process.version,
  };
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
mkdirSync(results, { recursive: true });
let broken = 0;
for (const name of names) {
  console.log(`\n== ${name}`);
  try {
    const { run } = await import(pathToFileURL(path.join(folder, `${name}.ts`)).href);
    const rows = [await run()].flat();
    console.table(
      rows.map(({ goal, what, figure, unit, controlFigure, ratio, pass }) => ({
        goal,
        what,
        figure,
        unit,
        control: controlFigure,
        ratio,
        pass,
      })),
    );
    writeFileSync(
      path.join(results, `${name}.json`),
      `${JSON.stringify({ date: new Date().toISOString(), commit, machine: describeMachine(), rows }, null, 2)}\n`,
    );
  } catch (error) {
    broken += 1;
    console.error(`${name} did not finish:`, error);
  }
}

// One page for people: the newest figure of every goal.
const rows = readdirSync(results)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => JSON.parse(readFileSync(path.join(results, file), 'utf8')).rows)
  .sort((a, b) => a.goal - b.goal);
const cell = (value: unknown) => (value === undefined ? '' : String(value).replaceAll('|', '\\|'));
writeFileSync(
  path.join(results, 'README.md'),
  [
    '# Latest figures',
    '',
    'Written by `npm run bench`; the number of a goal only orders the table. Each control was measured in the same run; some figures have none.',
    '',
    '| goal | what | figure | unit | control | control figure | ratio | pass |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${[row.goal, row.what, row.figure, row.unit, row.control, row.controlFigure, row.ratio, row.pass === undefined ? undefined : row.pass ? 'yes' : 'no'].map(cell).join(' | ')} |`,
    ),
    '',
  ].join('\n'),
);
process.exit(broken > 0 ? 1 : 0);
