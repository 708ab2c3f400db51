// The page behind a scanned tag. Shows the dog's photo and a contact form if the dog is lost, otherwise nothing about it.
import { useQuery } from '@tanstack/react-query';
import { LocateFixed } from 'lucide-react';
import type { LatLong } from '#/core/distance.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { useSession } from '#/data/session/session.ts';
import { useSendFromTag } from '#/features/lost-dogs/commands/lost-dog.ts';
import { type LostCard, tagCardQueryOptions } from '#/features/lost-dogs/queries/lost-dogs.ts';
import { useT } from '#/i18n/i18n.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import { TextArea } from '#/ui/text-area.tsx';
import { showError } from '#/ui/toast.ts';
import styles from './lost-dogs.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-widths.ts';

const MAX_LETTERS = 300;
const EMPTY = { note: '', place: null as LatLong | null };

interface TagPageProps {
  code: string;
  /** Requests the device's location; null if it is unavailable. */
  locate: () => Promise<LatLong | null>;
}

export function TagPage({ code, locate }: TagPageProps) {
  const t = useT();
  const card = useQuery(tagCardQueryOptions(code));
  const { status } = useSession();
  const { data } = card;
  return (
    <>
      {/* The heading keeps the focus, so it must not remount while loading. */}
      <PageHeader
        title={data ? t('lostDogs.marker', { name: data.name }) : t('lostDogs.tagPage')}
      />
      {data === undefined || status === 'unknown' ? (
        <Loading error={card.error} refetch={card.refetch} height="16rem" />
      ) : data ? (
        <TagForm card={data} code={code} locate={locate} />
      ) : (
        <TagEnd text={t('lostDogs.silent')} />
      )}
    </>
  );
}

function TagEnd({ text }: { text: string }) {
  const t = useT();
  return <EmptyState text={text} action={<ButtonLink to="/">{t('ui.toMap')}</ButtonLink>} />;
}

interface TagFormProps extends TagPageProps {
  card: Pick<LostCard, 'name' | 'photo'>;
}

function TagForm({ card: { name, photo }, code, locate }: TagFormProps) {
  const t = useT();
  const send = useSendFromTag(code);
  const form = useDraft(`tag/${code}`, EMPTY);
  const { note, place } = form.draft;
  const end = send.data ? t('lostDogs.tagThanks', { name }) : t('lostDogs.silent');
  useAnnounce(send.data === undefined ? '' : end);
  if (send.data !== undefined) return <TagEnd text={end} />;
  return (
    <form
      className="column-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate({ note, place }, { onSuccess: form.drop, onError: showError });
      }}
    >
      <Avatar
        name={name}
        src={photo && photoUrl('lost-dogs', photo, PHOTO_WIDTH.card)}
        size={160}
        className={styles.avatar}
      />
      <p>{t('lostDogs.tagAsk')}</p>
      <DraftNote {...form} />
      <TextArea
        label={t('lostDogs.tagWords')}
        hint={t('lostDogs.tagWordsNote')}
        maxLength={MAX_LETTERS}
        value={note}
        onChange={(event) => form.setDraft({ note: event.target.value, place })}
      />
      <Button
        variant="secondary"
        icon={LocateFixed}
        onClick={() =>
          void locate().then((known) => known && form.setDraft((now) => ({ ...now, place: known })))
        }
      >
        {t(place ? 'lostDogs.placeAdded' : 'lostDogs.addPlace')}
      </Button>
      <Button type="submit" busy={send.isPending} disabled={!note.trim() && !place}>
        {t('ui.send')}
      </Button>
    </form>
  );
}
