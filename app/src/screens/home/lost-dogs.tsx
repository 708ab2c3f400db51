// Lost dogs on the home map: fetched once the map is usable; their components are loaded only if there are any.
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import { useNow } from '#/core/use-now.ts';
import { useSession } from '#/data/session/session.ts';
import { lostDogsQueryOptions } from '#/features/lost-dogs/queries/lost-dogs.ts';
import { loadLazyMessages, useT } from '#/i18n/i18n.ts';
import type { ParkMap } from '#/map/park-map.ts';
import type { LostDogsShownProps } from '#/screens/home/lost-dogs-shown.tsx';
import { showToast } from '#/ui/toast.ts';

const Shown = lazyPart<LostDogsShownProps>(() =>
  Promise.all([import('#/screens/home/lost-dogs-shown.tsx'), loadLazyMessages()]).then(
    ([file]) => file,
  ),
);

export default function LostDogs({ map }: { map: ParkMap }) {
  const t = useT();
  const { status } = useSession();
  /** ID of the card that a notification opens. */
  const { lost } = useSearch({ strict: false }) as { lost?: string };
  const { data, isStale } = useQuery({
    ...lostDogsQueryOptions(status !== 'in'),
    enabled: status !== 'unknown',
  });
  const now = useNow(60_000);
  const cards = useMemo(
    () => data?.filter(({ until }) => Date.parse(until) > now) ?? [],
    [data, now],
  );
  const isOver = lost !== undefined && !isStale && cards.every(({ id }) => id !== lost);
  useEffect(() => {
    if (isOver) showToast(t('errors.not_lost'));
  }, [isOver, t]);
  return cards.length > 0 && <Shown map={map} cards={cards} openId={lost} />;
}
