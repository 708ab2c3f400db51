// How far a park is as people think of it: minutes on foot, or beyond a walk its distance.
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { formatDistance } from '#/core/distance.ts';
import { walkingMinutes } from '#/features/park-lists/walking-minutes.ts';

/** @param metres as the crow flies */
export function WalkingTime({ metres }: { metres: number }) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const minutes = walkingMinutes(metres);
  return (
    <span>
      {minutes === null ? formatDistance(metres, locale) : t('parks.card.walk', { minutes })}
    </span>
  );
}
