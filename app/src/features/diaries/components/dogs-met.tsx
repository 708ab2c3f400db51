// Friends' dogs that the user's dog meets, according to this device's diary.
import { Dog } from 'lucide-react';
import { useDiary } from '#/features/diaries/queries/diary.ts';
import { metBy } from '#/features/diaries/stamps.ts';
import { useT } from '#/i18n/i18n.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { Chip } from '#/ui/chip.tsx';

export default function DogsMet({ userId, dogId }: { userId: string; dogId: string }) {
  const t = useT();
  const { data } = useDiary(userId);
  if (!data) return null;
  const met = metBy(dogId, data);
  return (
    <Card as="section" className="column-3">
      <h2 className="text-3">{t('diaries.meets')}</h2>
      {met.length === 0 ? (
        <p className="soft">{t('diaries.meetsNone')}</p>
      ) : (
        <ul className="wrap-2">
          {met.map(({ dog, times }) => (
            <li key={dog.id}>
              <Chip icon={Dog}>{t('diaries.times', { name: dog.name, count: times })}</Chip>
            </li>
          ))}
        </ul>
      )}
      <ButtonLink to="/profile/$id/diary" params={{ id: userId }} variant="secondary">
        {t('diaries.title')}
      </ButtonLink>
    </Card>
  );
}
