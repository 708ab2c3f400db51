// Minutes as a person says them: '45 minutes', '1 hour, 30 minutes'.

/** @param locale a BCP 47 tag for Intl */
export function formatMinutes(minutes: number, locale: string): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const part = (value: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
      .format(value)
      // CLDR writes '1 שעה', nobody says it.
      .replace(/^1 (?=\p{Script=Hebrew})/u, '');
  const parts = [];
  if (hours > 0) parts.push(part(hours, 'hour'));
  if (rest > 0 || hours === 0) parts.push(part(rest, 'minute'));
  return new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(parts);
}
