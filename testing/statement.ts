// SQL of tests as a template literal whose values become parameters: sql`select from users where id = ${id}`.

/** The arguments of a template tag, or an SQL text with an array of values. */
export type Statement =
  | [text: string, values?: unknown[]]
  | [parts: TemplateStringsArray, ...values: unknown[]];

export const statement = ([text, ...values]: Statement): [text: string, values: unknown[]] =>
  typeof text === 'string'
    ? [text, (values[0] ?? []) as unknown[]]
    : [text.reduce((sql, part, index) => `${sql}$${index}${part}`), values];
