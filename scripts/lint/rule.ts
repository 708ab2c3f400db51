// The part of ESLint's rule types that our rules use.

/** A syntax tree node with the fields that the rule needs. */
export type Node<Fields = object> = Fields & { type: string };

export interface Context {
  filename: string;
  cwd: string;
  sourceCode: { getAllComments(): Node<{ value: string }>[] };
  report(problem: { node: Node; message: string }): void;
}

type Visitor = Record<string, (node: never) => void>;

export interface Rule {
  create(context: Context): Visitor;
}

export interface Plugin {
  meta: { name: string };
  rules: Record<string, Rule>;
}
