// Lost dogs on the home map: asked for once the map is usable; what shows them is loaded where there are any.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import { useNow } from '#/core/use-now.ts';
import { useSession } from '#/data/session/session.ts';
import { lostDogsQueryOptions } from '#/features/lost-dogs/queries/lost-dogs.ts';
import { loadLaterTexts } from '#/i18n/i18n.ts';
import type { ParkMap } from '#/map/park-map.ts';
import type { LostDogsShownProps } from '#/routes/-home/lost-dogs-shown.tsx';

const Shown = lazyPart<LostDogsShownProps>(() =>
  Promise.all([import('#/routes/-home/lost-dogs-shown.tsx'), loadLaterTexts()]).then(
    ([file]) => file,
  ),
);

export default function LostDogs({ map }: { map: ParkMap }) {
  const { status } = useSession();
  const { data } = useQuery({
    ...lostDogsQueryOptions(status !== 'in'),
    enabled: status !== 'unknown',
  });
  const now = useNow(60_000);
  const cards = useMemo(
    () => data?.filter(({ until }) => Date.parse(until) > now) ?? [],
    [data, now],
  );
  return cards.length > 0 && <Shown map={map} cards={cards} />;
}
