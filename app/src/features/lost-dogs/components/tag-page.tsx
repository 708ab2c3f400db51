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
import { Button } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { showError } from '#/ui/toast.ts';
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
  if (card.data === null || send.data === false)
    return (
      <>
        <PageHeader title={t('lostDogs.tagPage')} />
        <EmptyState text={t('lostDogs.silent')} />
      </>
    );
  const { name, photo } = card.data;
  if (send.data) return <EmptyState text={t('lostDogs.tagThanks', { name })} />;
  return (
    <form
      className="column-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate({ note, place }, { onError: showError });
      }}
    >
      <PageHeader title={t('lostDogs.tagLost', { name })} />
      <Avatar
        name={name}
        src={photo && photoUrl('lost-dogs', photo, PHOTO_WIDTH.card)}
        size={160}
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
