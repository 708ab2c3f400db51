// What a lint rule is made of, as far as ours use it: the same as for ESLint.

/** A node of the syntax tree, with the fields that the rule knows it has. */
export type Node<Fields = object> = Fields & { type: string };

export interface Context {
  filename: string;
  cwd: string;
  sourceCode: { getAllComments(): Node<{ value: string }>[] };
  report(problem: { node: Node; message: string }): void;
}

/** By the type of node: what looks at each of them. */
type Visitor = Record<string, (node: never) => void>;

export interface Rule {
  create(context: Context): Visitor;
}

export interface Plugin {
  meta: { name: string };
  rules: Record<string, Rule>;
}
