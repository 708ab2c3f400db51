// Formats minutes in words, such as '1 hour and 30 minutes', and shortened for the visit bar, such as '45 mins'.
import { LIST } from '#/i18n/list-format.ts';
import { type Translate, useLocale, useT } from '#/i18n/i18n.ts';

const unit = (
  value: number,
  name: 'hour' | 'minute',
  locale: string,
  unitDisplay: 'long' | 'short',
): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay })
    .format(value)
    // CLDR has '1 שעה' for an hour, which Hebrew speakers do not say.
    .replace(/^1 (?=\p{Script=Hebrew})/u, '');

/** @param locale BCP 47 tag */
export function formatMinutes(minutes: number, locale: string, t: Translate): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return unit(rest, 'minute', locale, 'long');
  const whole = unit(hours, 'hour', locale, 'long');
  if (rest === 0) return whole;
  // Hebrew and Arabic have a phrase for 'an hour and a half'.
  if (rest === 30) return t('checkIns.length.half', { hours: whole });
  const parts = [whole, unit(rest, 'minute', locale, 'long')];
  // CLDR uses a hyphen before digits where Hebrew uses a maqaf.
  return new Intl.ListFormat(locale).format(parts).replace('ו-', 'ו־');
}

export function useFormatMinutes(): (minutes: number) => string {
  const t = useT();
  const locale = useLocale();
  return (minutes) => formatMinutes(minutes, locale, t);
}

/** Returns for example '1 hr, 20 mins'. @param locale BCP 47 tag */
export function formatMinutesShort(minutes: number, locale: string, t: Translate): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  // The long form is short enough for full hours, and for half hours if the language has a phrase such as 'an hour and a half'.
  const long = formatMinutes(minutes, locale, t);
  if (hours > 0 && (rest === 0 || (rest === 30 && !long.includes('30')))) return long;
  const parts = [];
  if (hours > 0) parts.push(unit(hours, 'hour', locale, 'short'));
  if (rest > 0 || hours === 0) parts.push(unit(rest, 'minute', locale, 'short'));
  return new Intl.ListFormat(locale, LIST).format(parts);
}
