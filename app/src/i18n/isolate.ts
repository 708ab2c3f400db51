// Bidirectional text: a name in another script must not change the direction of its sentence.
export const LEFT_TO_RIGHT = /[A-Za-z\u00c0-\u052f]/;
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Wraps values of the other direction in FSI and PDI; other values are unchanged. */
export function isolateOthers(
  values: Record<string, string | number>,
  direction: 'ltr' | 'rtl',
): Record<string, string | number> {
  const other = direction === 'rtl' ? LEFT_TO_RIGHT : RIGHT_TO_LEFT;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && other.test(value) ? `\u2068${value}\u2069` : value,
    ]),
  );
}
