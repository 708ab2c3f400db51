// Tests that imports contain no cycles. Dynamic imports count as dependencies, unlike in the linter's rule; type imports do not
// count.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Returns the imports of a file within its workspace, as paths relative to the workspace's `src`. */
function importsOf(source: string, file: string): string[] {
  const { module } = parseSync(file, source);
  const requests = [
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports
      .flatMap(({ entries }) => entries)
      .filter(({ isType }) => !isType)
      .map(({ moduleRequest }) => moduleRequest?.value ?? ''),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      source.slice(start + 1, end - 1),
    ),
  ];
  return requests.flatMap((request) => {
    if (request.startsWith('#/')) return [request.slice(2)];
    return request.startsWith('.') ? [path.join(path.dirname(file), request)] : [];
  });
}

function graphOf(folder: string): Map<string, string[]> {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return new Map(
    files
      .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d|gen)\.tsx?$/.test(file))
      .map((file) => [file, importsOf(readFileSync(path.join(ROOT, folder, file), 'utf8'), file)]),
  );
}

/** Returns each import cycle once, as a list of its files. */
function circles(graph: Map<string, string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, along: string[]) => {
    if (along.includes(file)) {
      found.push([...along.slice(along.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const imported of graph.get(file) ?? []) visit(imported, [...along, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

test.each(['app/src', 'server/src'])('no circle of imports in %s', (folder) => {
  expect(circles(graphOf(folder))).toEqual([]);
});
