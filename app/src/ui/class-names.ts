// Joins class names; CSS Modules give `string | undefined`.
export const classNames = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ');
