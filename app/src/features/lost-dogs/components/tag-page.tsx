// Who scanned a tag: nothing while the dog is at home, else its face, and a few words and a place for its people.
import { useQuery } from '@tanstack/react-query';
import { LocateFixed } from 'lucide-react';
import { useState } from 'react';
import type { LatLong } from '#/core/distance.ts';
import { photoUrl } from '#/data/photos/photo-url.ts';
import { useSendFromTag } from '#/features/lost-dogs/commands/lost-dog.ts';
import { tagCardQueryOptions } from '#/features/lost-dogs/queries/tag-card.ts';
import { useT } from '#/i18n/i18n.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { showError } from '#/ui/toast.ts';
import styles from './lost-dogs.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-widths.ts';

const MOST_LETTERS = 300;

interface TagPageProps {
  code: string;
  /** Asks the device; null where it does not say. */
  locate: () => Promise<LatLong | null>;
}

export function TagPage({ code, locate }: TagPageProps) {
  const t = useT();
  const card = useQuery(tagCardQueryOptions(code));
  const send = useSendFromTag(code);
  const [note, setNote] = useState('');
  const [place, setPlace] = useState<LatLong | null>(null);
  if (card.error) return <FetchFailed error={card.error} onRetry={() => void card.refetch()} />;
  if (card.data === undefined) return <Skeleton height="16rem" />;
  if (card.data === null || send.data !== undefined)
    return (
      <>
        <PageHeader title={t('lostDogs.tagPage')} />
        <EmptyState
          text={
            card.data && send.data
              ? t('lostDogs.tagThanks', { name: card.data.name })
              : t('lostDogs.silent')
          }
          action={<ButtonLink to="/">{t('auth.emailCallback.map')}</ButtonLink>}
        />
      </>
    );
  const { name, photo } = card.data;
  return (
    <form
      className="column-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate({ note, place }, { onError: showError });
      }}
    >
      <PageHeader title={t('lostDogs.marker', { name })} />
      <Avatar
        name={name}
        src={photo && photoUrl('lost-dogs', photo, PHOTO_WIDTH.card)}
        size={160}
        className={styles.face}
      />
      <p>{t('lostDogs.tagAsk')}</p>
      <TextArea
        label={t('lostDogs.tagWords')}
        hint={t('lostDogs.tagWordsNote')}
        maxLength={MOST_LETTERS}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button
        variant="secondary"
        icon={LocateFixed}
        onClick={() => void locate().then((known) => known && setPlace(known))}
      >
        {t(place ? 'lostDogs.placeAdded' : 'lostDogs.addPlace')}
      </Button>
      <Button type="submit" busy={send.isPending} disabled={!note.trim() && !place}>
        {t('lostDogs.send')}
      </Button>
    </form>
  );
}
