// A form for the answer to a finder who scanned the tag. Each finder gets one answer.
import { type FormEvent, useState } from 'react';
import { useAnswerFinder } from '#/features/lost-dogs/commands/lost-dog.ts';
import { MAX_LETTERS } from '#/features/lost-dogs/lost-dog-limits.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { showError } from '#/ui/toast.ts';

export function AnswerFinder({ dogId, sightingId }: { dogId: string; sightingId: string }) {
  const t = useT();
  const [text, setText] = useState('');
  const answer = useAnswerFinder(dogId);
  const send = (event: FormEvent) => {
    event.preventDefault();
    answer.mutate({ sightingId, text }, { onError: showError });
  };
  return (
    <form className="column-3" onSubmit={send}>
      <TextArea
        label={t('lostDogs.answer')}
        hint={t('lostDogs.answerNote')}
        maxLength={MAX_LETTERS}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" variant="secondary" busy={answer.isPending} disabled={!text.trim()}>
        {t('lostDogs.answerSend')}
      </Button>
    </form>
  );
}
