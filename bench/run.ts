// `npm run bench [-- name …]`: runs the benchmarks one after the other, stores their figures in bench/results.json and prints them.
// `npm run bench -- show` prints the latest figures. No other programs may run on the machine.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { GOALS, judge, type Goal, type Result } from './goals.ts';
import { closeAll } from './lib/at-end.ts';

type Row = ReturnType<typeof judge>;
interface Run {
  date: string;
  commit: string;
  machine: string;
  rows: Row[];
}

const folder = import.meta.dirname;
const file = path.join(folder, 'results.json');
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((name) => /^(?!run\.|goals\.|.*\.test\.).*\.ts$/.test(name))
  .map((name) => path.basename(name, '.ts'));
const unknown = wanted.filter((name) => name !== 'show' && !names.includes(name));
if (unknown.length > 0) throw new Error(`No benchmark ${unknown}: ${names.join(', ')}`);
const results: Record<string, Run> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

function show(chosen: string[]) {
  const bound = (goal: Goal, bounds: Goal['pass']) =>
    [bounds?.figure, bounds?.ratio === undefined ? undefined : `${+bounds.ratio.toFixed(2)}×`]
      .filter((part) => part !== undefined)
      .map((part) => `${goal.atLeast ? '≥' : '≤'} ${part}`)
      .join(', ');
  for (const name of chosen.filter((each) => results[each])) {
    const { date, commit, machine, rows } = results[name] as Run;
    console.log(`\n== ${name}, ${date.slice(0, 10)}, ${commit}, ${machine}`);
    console.table(
      rows.map((row) => {
        const goal: Goal = GOALS[row.goal];
        const { of, ...shown } = row;
        return {
          ...shown,
          goal: of === undefined ? goal.what : `${goal.what}: ${of}`,
          pass: bound(goal, goal.pass),
          stretch: bound(goal, goal.stretch),
        };
      }),
    );
  }
}

if (wanted.includes('show')) show(names);
else {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model}, Node ${process.versions.node}`;
  for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
    try {
      const { run } = (await import(pathToFileURL(path.join(folder, `${name}.ts`)).href)) as {
        run(): Promise<Result | Result[]>;
      };
      const rows = [await run().finally(closeAll)].flat().map(judge);
      results[name] = { date: new Date().toISOString(), commit, machine, rows };
      show([name]);
      writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${name} did not finish:`, error);
    }
  }
}
