// What sets a park apart, in three words.
import { formatHour } from '#/core/park-time.ts';
import type { Apart } from '#/features/verdicts/ranking.ts';
import type { Translate } from '#/i18n/i18n.ts';

/** Null for friends, who are shown with their faces. @param locale a BCP 47 tag for the hours */
export function apartWords(apart: Apart, t: Translate, locale: string): string | null {
  if (apart.kind === 'friends') return null;
  if ('hour' in apart)
    return t(`parks.apart.${apart.kind}`, { hour: formatHour(apart.hour, locale) });
  return t(`parks.apart.${apart.kind}`);
}
