// A user's dogs as cards; the owner can add one.
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { DogAge } from '#/features/dogs/components/dog-age.tsx';
import { DogForm } from '#/features/dogs/components/dog-form.tsx';
import { type Dog, EMPTY_DRAFT } from '#/features/dogs/dog.ts';
import { useT } from '#/i18n/i18n.ts';
import { breedName, useBreedNames } from '#/i18n/breeds/breeds.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { showPopup } from '#/ui/popup.ts';
import { Sheet } from '#/ui/sheet.tsx';
import { classNames } from '#/ui/class-names.ts';
import styles from './dog-list.module.css';

interface DogListProps {
  ownerId: string;
  dogs: readonly Dog[];
  /** Dogs of other users that the user keeps or walks. */
  kept: readonly Dog[];
  mine: boolean;
  /** Opens the page of a dog that the user has just added, because photos are added there. */
  onAdded: (dogId: string) => void;
}

export function DogList({ ownerId, dogs, kept, mine, onAdded }: DogListProps) {
  const t = useT();
  const [adding, setAdding] = useNamedOverlay<true>('new-dog');
  const [asksFirst, setAsksFirst] = useState(
    () => readLocal('newcomer') !== null && dogs.length + kept.length === 0,
  );
  const close = () => {
    writeLocal('newcomer', null);
    setAsksFirst(false);
    setAdding(null);
  };
  const addButton = (
    <Button icon={Plus} className={styles.add} onClick={() => setAdding(true)}>
      {t('dogs.list.add')}
    </Button>
  );
  return (
    <>
      {dogs.length === 0 ? (
        <EmptyState
          pose="sitting"
          text={t(mine ? 'dogs.list.emptyMine' : 'dogs.list.empty')}
          action={mine && addButton}
        />
      ) : (
        <>
          <ul className={styles.list}>
            {dogs.map((dog) => (
              <DogCard key={dog.id} dog={dog} />
            ))}
          </ul>
          {mine && addButton}
        </>
      )}
      {kept.length > 0 && (
        <section className="column-3">
          <h2>{t('dogCarers.kept')}</h2>
          <ul className={styles.list}>
            {kept.map((dog) => (
              <DogCard key={dog.id} dog={dog} />
            ))}
          </ul>
        </section>
      )}
      <Sheet
        open={mine && (asksFirst || adding !== null)}
        onClose={close}
        title={t('dogs.list.add')}
      >
        <DogForm
          ownerId={ownerId}
          dogId={null}
          initial={EMPTY_DRAFT}
          onSkip={asksFirst ? close : null}
          onSaved={(dogId) => {
            close();
            showPopup();
            onAdded(dogId);
          }}
        />
      </Sheet>
    </>
  );
}

function DogCard({ dog }: { dog: Dog }) {
  const breeds = useBreedNames();
  return (
    <Card as="li" className={styles.card}>
      <Avatar name={dog.name} src={avatarUrl(dog.photo)} size={72} />
      <div className={styles.texts}>
        <Link
          to="/profile/$id/dogs/$dogId"
          params={{ id: dog.owner, dogId: dog.id }}
          className={classNames('stretched-link', styles.name)}
        >
          <bdi>{dog.name}</bdi>
        </Link>
        <p>{breedName(breeds, dog.breed)}</p>
        <p className="note">
          <DogAge birthday={dog.birthday} />
        </p>
      </div>
    </Card>
  );
}
