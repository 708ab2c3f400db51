// Inserts values into messages of the desk, in the app and in the command.

/** Inserts values into a message: `fill('Waiting: {count}', { count: 3 })`. */
export const fill = (template: string, values: Record<string, string | number>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''));
