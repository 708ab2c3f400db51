// Test SQL as a template whose values become parameters: sql`select from users where id = ${id}`.

/** Such a template, or a text with its values as pg takes them. */
export type Statement =
  | [text: string, values?: unknown[]]
  | [parts: TemplateStringsArray, ...values: unknown[]];

export const statement = ([text, ...values]: Statement): [text: string, values: unknown[]] =>
  typeof text === 'string'
    ? [text, (values[0] ?? []) as unknown[]]
    : [text.reduce((sql, part, index) => `${sql}$${index}${part}`), values];
