// Cleans up what a test or a test file has started.
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Calls `close` after the current test or, outside of tests, after all tests of the file. Later calls run first. */
export function atEnd(close: () => unknown): void {
  const clean = async () => void (await close());
  if (TestRunner.getCurrentTest()) onTestFinished(clean);
  else afterAll(clean);
}
