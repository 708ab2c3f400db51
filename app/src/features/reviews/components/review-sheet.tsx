// Creates or edits a review. Typed text is kept if the server rejects it.
import { useState } from 'react';
import * as v from 'valibot';
import { type MyReview, myReviewQueryOptions } from '#/features/reviews/queries/my-review.ts';
import { reviewInput, useSaveReview } from '#/features/reviews/commands/save-review.command.ts';
import { MAX_CONTENT, MAX_TITLE } from '#/features/reviews/review-limits.ts';
import { useT } from '#/i18n/i18n.ts';
import { formProblems, type FormProblems, useProblem, withoutFields } from '#/ui/form-problems.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { useWithUnsent } from '#/offline/command-queue/queued-commands.ts';
import { Button } from '#/ui/button.tsx';
import { Switch } from '#/ui/checkbox.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { showPopup } from '#/ui/popup.ts';
import { Sheet } from '#/ui/sheet.tsx';
import { StarsInput } from '#/ui/stars.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { useSubmit } from '#/ui/use-submit.ts';

interface ReviewSheetProps {
  open: boolean;
  parkId: number;
  parkName: string;
  /** The user's current review; null if there is none, undefined while loading. */
  review: MyReview | null | undefined;
  /** False if the user has never checked in at the park; the stars do not count until then. */
  beenHere?: boolean | undefined;
  /** Asks the user to accept the terms before the first post. */
  beforePost: () => Promise<boolean>;
  onClose: () => void;
}

export default function ReviewSheet({ open, ...rest }: ReviewSheetProps) {
  return open ? <KnownSheet {...rest} /> : null;
}

/** Edits the review as it was when the form was opened. A change in another tab does not replace typed text. */
function KnownSheet({ review, ...rest }: Omit<ReviewSheetProps, 'open'>) {
  const [edited, setEdited] = useState(review);
  if (edited === undefined && review !== undefined) setEdited(review);
  return edited === undefined ? null : <OpenSheet review={edited} {...rest} />;
}

function OpenSheet({
  parkId,
  parkName,
  review,
  beenHere,
  beforePost,
  onClose,
}: Omit<ReviewSheetProps, 'open' | 'review'> & { review: MyReview | null }) {
  const t = useT();
  const save = useSaveReview();
  const { data: mine } = useWithUnsent(myReviewQueryOptions(parkId).queryKey, review);
  const form = useDraft(`review/${String(parkId)}`, {
    rank: mine?.rank ?? null,
    title: mine?.title ?? '',
    content: mine?.content ?? '',
    anonymous: mine?.anonymous ?? true,
    seen: review?.updated_at ?? null,
  });
  const { rank, title, content, anonymous } = form.draft;
  const [problems, setProblems] = useState<FormProblems>({});
  const set = (patch: Partial<typeof form.draft>) => {
    form.setDraft({ ...form.draft, ...patch });
    setProblems((now) => withoutFields(now, patch));
  };
  const problem = useProblem(problems);

  const { busy, onSubmit } = useSubmit(async () => {
    const checked = v.safeParse(reviewInput, form.draft);
    setProblems(checked.success ? {} : formProblems(checked.issues));
    if (!checked.success) return focusFirstProblem();
    if (!(await beforePost())) return;
    const { seen } = form.draft;
    const saved = await save.mutateAsync({ ...checked.output, parkId, seen });
    form.drop();
    onClose();
    if (saved !== 'queued') showPopup({ text: t('reviews.form.thanks') });
  });

  return (
    <Sheet
      onClose={onClose}
      title={t(mine ? 'reviews.form.editTitle' : 'reviews.form.newTitle')}
      footer={
        <Button busy={busy} type="submit" form="review-form">
          {t(mine ? 'ui.save' : 'reviews.form.publish')}
        </Button>
      }
    >
      <form id="review-form" noValidate className="grid-4" onSubmit={onSubmit}>
        <DraftNote {...form} />
        <p className="soft">
          <bdi>{parkName}</bdi>
        </p>
        <StarsInput
          label={t('reviews.form.rank')}
          value={rank}
          onChange={(chosen) => set({ rank: chosen })}
          error={problem('rank')}
        />
        {beenHere === false && <p className="soft">{t('reviews.form.counts')}</p>}
        <TextField
          label={t('reviews.form.title')}
          optional
          value={title}
          maxLength={MAX_TITLE}
          onChange={(event) => set({ title: event.target.value })}
          error={problem('title')}
        />
        <TextArea
          label={t('reviews.form.content')}
          optional
          rows={5}
          value={content}
          maxLength={MAX_CONTENT}
          onChange={(event) => set({ content: event.target.value })}
          error={problem('content')}
        />
        <Switch
          label={t('reviews.form.named')}
          hint={t(anonymous ? 'reviews.form.namedOff' : 'reviews.form.namedOn')}
          checked={!anonymous}
          onChange={(on) => set({ anonymous: !on })}
        />
      </form>
    </Sheet>
  );
}
