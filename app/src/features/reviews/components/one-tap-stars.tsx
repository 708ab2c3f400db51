// A first review in one tap. The stars are saved immediately and anonymously, and text can be added later.
import { useState } from 'react';
import { useSaveReview } from '#/features/reviews/commands/save-review.command.ts';
import { useT } from '#/i18n/i18n.ts';
import { showError } from '#/ui/toast.ts';
import { StarButtons } from '#/ui/stars.tsx';

interface OneTapStarsProps {
  parkId: number;
  /** Asks the user to accept the terms before the first post. */
  beforePost: () => Promise<boolean>;
  /** Called with 'saved', or with 'queued' while offline. */
  onSaved: (outcome: 'saved' | 'queued') => void;
}

export function OneTapStars({ parkId, beforePost, onSaved }: OneTapStarsProps) {
  const t = useT();
  const save = useSaveReview();
  const [chosen, setChosen] = useState<number | null>(null);
  const choose = async (rank: number) => {
    if (chosen !== null) return;
    setChosen(rank);
    try {
      if (!(await beforePost())) return setChosen(null);
      const review = { parkId, rank, title: '', content: '', anonymous: true, seen: null };
      onSaved((await save.mutateAsync(review)) === 'queued' ? 'queued' : 'saved');
    } catch (error) {
      setChosen(null);
      showError(error);
    }
  };
  return (
    <>
      <StarButtons
        label={t('reviews.form.rank')}
        value={chosen}
        onChoose={(rank) => void choose(rank)}
      />
      <p className="note">{t('reviews.oneTap.public')}</p>
    </>
  );
}
