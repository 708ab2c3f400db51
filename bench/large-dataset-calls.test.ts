// Tests that the benchmark of all calls includes every database function that users can call.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { largeDatasetCalls, NOT_MEASURED } from './lib/large-dataset-calls.ts';

test('each database function is called by the benchmark or listed with the reason why not', () => {
  const types = readFileSync('shared/database.types.ts', 'utf8');
  const functions = types.slice(types.indexOf('Functions: {'), types.indexOf('Enums: {'));
  const names = [...functions.matchAll(/^ {6}(\w+): \{/gm)].map(([, name = '']) => name);
  const called = largeDatasetCalls('full').map(
    ({ call }) => /^\/rest\/v1\/rpc\/(\w+)/.exec(call(0).path)?.[1] ?? '',
  );
  const known = new Set([...called.filter(Boolean), ...Object.values(NOT_MEASURED).flat()]);
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !names.includes(name))).toEqual([]);
});
