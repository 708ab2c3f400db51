// The label of a park's highlight, in about three words.
import { formatHour } from '../../../../shared/park-time.ts';
import type { Highlight } from '#/features/verdicts/ranking.ts';
import type { Translate } from '#/i18n/i18n.ts';

/** Returns null for friends, because avatars show them. @param locale BCP 47 tag for formatting hours */
export function highlightLabel(highlight: Highlight, t: Translate, locale: string): string | null {
  if (highlight.type === 'friends') return null;
  if ('hour' in highlight)
    return t(`parks.highlight.${highlight.type}`, { hour: formatHour(highlight.hour, locale) });
  return t(`parks.highlight.${highlight.type}`);
}
