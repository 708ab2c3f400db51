// The comparison with the platform: two hosts agree, and a step that answers otherwise is printed.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runScenario, STEPS } from './client-scenario.ts';
import { RUNNER } from '../server/bin/build.mjs';
import { compareRuns } from './result-differences.ts';
import { startTestHost, type TestHost } from './test-host.ts';

const host = await startTestHost();
const first = await runScenario({ url: host.url, key: host.tokens.anonKey });

const resultOf = (name: string) => first.results.find(({ step }) => step === name)?.result;

test('the scenario reaches each service, and its people are gone afterwards', async () => {
  expect(first.results.filter(({ result }) => JSON.stringify(result).includes('"threw"'))).toEqual(
    [],
  );
  expect(resultOf('sign in')).toMatchObject({ error: null, data: { session: {} } });
  expect(resultOf('wrong password')).toMatchObject({ error: { code: 'invalid_credentials' } });
  expect(resultOf('insert a dog')).toMatchObject({ status: 201, error: null });
  expect(resultOf('upload')).toMatchObject({ error: null });
  expect(resultOf('public address')).toMatchObject({ status: 200 });
  expect(resultOf('realtime: an event')).toMatchObject({ event: { eventType: 'UPDATE' } });
  expect(resultOf('function that is not allowed')).toMatchObject({ status: 403 });
  expect(await host.sql('select from auth.users')).toEqual([]);
});

test('a step that answers otherwise is printed', () => {
  const results = first.results.map((one) =>
    one.step === 'wrong password'
      ? { ...one, result: { data: null, error: { status: 418 } } }
      : one,
  );
  const lines = compareRuns(first, { ...first, results });
  expect(lines.filter((line) => !line.startsWith('wrong password: '))).toEqual([]);
  expect(lines).toContain('wrong password: error.status: host 400, there 418');
});

/** The operators' command against `other`; it starts a host of its own. */
function compareWith(other: TestHost): Promise<{ code: number | null; output: string }> {
  const script = path.resolve(import.meta.dirname, 'compare-platform.ts');
  const args = [RUNNER, script, '--url', `${other.url}/`, '--key', other.tokens.anonKey];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

test('the command names what a host with other settings answers otherwise, and nothing else', async () => {
  const strict = await startTestHost({ AUTH_PASSWORD_LENGTH: '12' });
  const { code, output } = await compareWith(strict);
  const lines = output.trimEnd().split('\n');
  expect(lines).toEqual([
    'sign up with a weak password: error.message: host "Password should be at least 8 characters.", there "Password should be at least 12 characters."',
    `${STEPS.length} steps, 1 differences.`,
  ]);
  expect(code).toBe(1);
});
