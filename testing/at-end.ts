// Cleaning up what a test or a whole file of tests has started.
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Calls it once the running test has ended or, outside of tests, all tests of the file. The last one is called first. */
export function atEnd(close: () => unknown): void {
  const clean = async () => void (await close());
  if (TestRunner.getCurrentTest()) onTestFinished(clean);
  else afterAll(clean);
}
