// The page that a scanned tag opens. If the dog is lost, it shows the dog's photo, a contact form, and the answer to this browser's
// message; otherwise nothing about the dog.
import { useQuery } from '@tanstack/react-query';
import { LocateFixed } from 'lucide-react';
import { useEffect, useState } from 'react';
import { AppError } from '#/core/app-error.ts';
import type { LatLong } from '#/core/distance.ts';
import { newUuid } from '#/core/uuid.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { useSession } from '#/data/session/session.ts';
import { useSendFromTag } from '#/features/lost-dogs/commands/lost-dog.ts';
import { MAX_LETTERS, MAX_PHONE } from '#/features/lost-dogs/lost-dog-limits.ts';
import {
  type LostCard,
  tagAnswerQueryOptions,
  tagCardQueryOptions,
} from '#/features/lost-dogs/queries/lost-dogs.ts';
import { useT } from '#/i18n/i18n.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { PageHeader } from '#/ui/page-header.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import { Card } from '#/ui/card.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { showError } from '#/ui/toast.ts';
import styles from './lost-dogs.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-sizes.ts';

const EMPTY = { note: '', phone: '', place: null as LatLong | null };

interface TagPageProps {
  code: string;
  /** Requests the device's location; null if it is unavailable. */
  locate: () => Promise<LatLong | null>;
}

export function TagPage({ code, locate }: TagPageProps) {
  const t = useT();
  const card = useQuery(tagCardQueryOptions(code));
  const { status } = useSession();
  const [secret, setSecret] = useState(() => readLocal(`tag/${code}`));
  const sent = useQuery(tagAnswerQueryOptions(code, secret));
  const { data, refetch } = card;
  // True if the search has ended since the message was sent. If the dog is lost again, the finder can send another message.
  const isOver = sent.data === null;
  useEffect(() => {
    if (isOver) void refetch();
  }, [isOver, refetch]);
  const answer = sent.data?.answer;
  useAnnounce(data && sent.data ? (answer ?? t('lostDogs.tagThanks', { name: data.name })) : '');
  return (
    <>
      {/* The heading has the focus, so it must not be remounted while loading. */}
      <PageHeader
        title={data ? t('lostDogs.marker', { name: data.name }) : t('lostDogs.tagPage')}
      />
      {data === undefined || status === 'unknown' ? (
        <Loading error={card.error} refetch={card.refetch} height="16rem" />
      ) : data && secret !== null && !isOver ? (
        <TagAnswer name={data.name} answer={answer} />
      ) : data ? (
        <TagForm card={data} code={code} locate={locate} onSent={setSecret} />
      ) : (
        <TagEnd text={t('lostDogs.silent')} />
      )}
    </>
  );
}

/** Shown after a message was sent. Contains the answer, which only this browser can read. */
function TagAnswer({ name, answer }: { name: string; answer: string | null | undefined }) {
  const t = useT();
  return (
    <div className="column-4">
      <p>{t(answer ? 'lostDogs.tagAnswer' : 'lostDogs.tagThanks', { name })}</p>
      {answer ? (
        <Card>
          <p dir="auto">{answer}</p>
        </Card>
      ) : (
        <p className="note">{t('lostDogs.tagWaits')}</p>
      )}
      <ButtonLink to="/">{t('ui.toMap')}</ButtonLink>
    </div>
  );
}

function TagEnd({ text }: { text: string }) {
  const t = useT();
  return <EmptyState text={text} action={<ButtonLink to="/">{t('ui.toMap')}</ButtonLink>} />;
}

interface TagFormProps extends TagPageProps {
  card: Pick<LostCard, 'name' | 'photo'>;
  onSent: (secret: string) => void;
}

function TagForm({ card: { name, photo }, code, locate, onSent }: TagFormProps) {
  const t = useT();
  const send = useSendFromTag(code);
  const form = useDraft(`tag/${code}`, EMPTY);
  const { note, phone, place } = form.draft;
  // The same secret is used for a repeated send, which then has no effect.
  const [secret] = useState(newUuid);
  const [wrongPhone, setWrongPhone] = useState<string | null>(null);
  const isOver = send.data === false;
  useAnnounce(isOver ? t('lostDogs.silent') : '');
  if (isOver) return <TagEnd text={t('lostDogs.silent')} />;
  return (
    <form
      className="column-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(
          { note, phone, place, secret },
          {
            onSuccess(isSent) {
              form.drop();
              if (!isSent) return;
              writeLocal(`tag/${code}`, secret);
              onSent(secret);
            },
            onError(error) {
              if (!(error instanceof AppError && error.key === 'lostDogs.phoneWrong'))
                return showError(error);
              setWrongPhone(phone);
              focusFirstProblem();
            },
          },
        );
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
        label={t('lostDogs.tagMessage')}
        hint={t('lostDogs.tagMessageNote')}
        maxLength={MAX_LETTERS}
        value={note}
        onChange={(event) => form.setDraft({ note: event.target.value, phone, place })}
      />
      <TextField
        label={t('lostDogs.phone')}
        optional
        type="tel"
        autoComplete="tel"
        hint={t('lostDogs.phoneNote', { name })}
        maxLength={MAX_PHONE}
        value={phone}
        error={phone === wrongPhone ? t('lostDogs.phoneWrong') : null}
        onChange={(event) => form.setDraft({ note, phone: event.target.value, place })}
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
      <Button
        type="submit"
        busy={send.isPending}
        disabled={!note.trim() && !phone.trim() && !place}
      >
        {t('ui.send')}
      </Button>
    </form>
  );
}
