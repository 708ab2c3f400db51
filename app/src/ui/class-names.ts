// Joins class names and skips missing ones, because CSS Modules have the type `string | undefined`.
export const classNames = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ');
