// Runs the checks of a command and prints their results.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { explain } from '#/cli/explain.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';
import type { CheckResult } from '#/product/check-results.ts';

export const GIGABYTE = 2 ** 30;

export type RunCheck = () => Promise<CheckResult[]>;

/** Runs checks one after the other. If a check throws, its error becomes a bad result. */
export async function collect(checks: readonly RunCheck[]): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks)
    results.push(
      ...(await new Promise<CheckResult[]>((resolve) => resolve(check())).catch(
        (error: unknown): CheckResult[] => [['bad', explain(error)]],
      )),
    );
  return results;
}

/**
 * Prints each result as soon as its check has ended. Two checks may find the same problem, which is printed once.
 * @param otherwise the last sentence if a result is bad
 * @throws StartError if a result is bad
 */
export async function report(checks: readonly RunCheck[], otherwise: string): Promise<void> {
  let bad = false;
  const printed = new Set<string>();
  for (const check of checks)
    for (const [kind, sentence] of await collect([check])) {
      if (printed.has(sentence)) continue;
      printed.add(sentence);
      console.log(`${kind.padEnd(6)}${sentence}`);
      bad ||= kind === 'bad';
    }
  if (bad) throw new StartError(otherwise);
}

export async function checkBuild(): Promise<CheckResult[]> {
  const index = await stat(path.join(ROOT, 'app/dist/index.html')).catch(() => null);
  return [
    index ? ['ok', 'The app is built.'] : ['bad', 'The app is not built: run npm run build.'],
  ];
}
