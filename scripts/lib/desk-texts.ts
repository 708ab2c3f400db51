// Finds problems of the desk's message files: those of all catalogues, and messages that are never shown.
import { parseSync, Visitor } from 'rolldown/utils';
import { catalogueProblems } from './catalogue-problems.ts';

export interface Texts {
  [name: string]: string | Texts;
}

/** Flattens nested messages to paths such as `queue.empty`. */
export const flat = (texts: Texts, before = ''): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, value]) =>
      typeof value === 'object'
        ? Object.entries(flat(value, `${before}${name}.`))
        : [[before + name, value]],
    ),
  );

/** The variable that holds the messages in every component of the desk. */
const ROOT = 'text';

interface Node {
  type: string;
}
interface Member extends Node {
  computed: boolean;
  object: Node;
  property: Node & { name: string };
}

/** Returns `a.b` for the expression `text.a.b`; null for other expressions. */
function pathOf(node: Node): string | null {
  if (node.type === 'Identifier') return (node as Member['property']).name === ROOT ? '' : null;
  if (node.type !== 'MemberExpression' || (node as Member).computed) return null;
  const { object, property } = node as Member;
  const before = pathOf(object);
  return before === null ? null : `${before}${before && '.'}${property.name}`;
}

/** Returns the message paths that a source file names, and the groups that it indexes with a computed name. */
function usedBy(file: string, source: string) {
  const named: string[] = [];
  const groups: string[] = [];
  const add = (to: string[], node: unknown) => {
    const path = pathOf(node as Node);
    if (path) to.push(path);
  };
  new Visitor({
    MemberExpression(node) {
      if (node.computed) add(groups, node.object);
      else add(named, node);
    },
    CallExpression: ({ arguments: given }) => {
      for (const argument of given) add(groups, argument);
    },
  }).visit(parseSync(file, source).program);
  return { named, groups };
}

/** @param sources the source code of the desk */
export function deskProblems(
  texts: Record<string, Texts>,
  sources: readonly { file: string; source: string }[],
): string[] {
  const catalogues = Object.fromEntries(
    Object.entries(texts).map(([language, all]) => [language, flat(all)]),
  );
  const used = sources.map(({ file, source }) => usedBy(file, source));
  const named = new Set(used.flatMap((one) => one.named));
  const groups = new Set(used.flatMap((one) => one.groups));
  return [
    ...catalogueProblems(catalogues, 'desk.json'),
    ...Object.keys(catalogues.en ?? {})
      .filter((path) => !named.has(path) && !groups.has(path.replace(/\.?[^.]*$/, '')))
      .map((path) => `en/desk.json: ${path} is used nowhere in the desk`),
  ];
}
