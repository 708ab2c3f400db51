// What somebody knows about a park that the record lacks or has wrong.
import { useState } from 'react';
import * as v from 'valibot';
import { useSuggestDetails } from '#/features/parks/commands/suggest-details.ts';
import { ParkFactsFields } from '#/features/parks/components/park-facts-fields.tsx';
import { changedFacts, draftOf, factsOf } from '#/features/parks/facts-draft.ts';
import type { ParkFacts } from '#/features/parks/find-parks.ts';
import { parkFactsInput } from '#/features/parks/park-input.ts';
import { useT } from '#/i18n/i18n.ts';
import { useIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';
import { errorText } from '#/i18n/errors.ts';
import { formProblems, type FormProblems } from '#/ui/form-problems.ts';
import { useUnsaved } from '#/core/unsaved.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { Sheet } from '#/ui/sheet.tsx';
import { showToast } from '#/ui/toast.ts';
import styles from './park-form.module.css';

interface SuggestSheetProps {
  open: boolean;
  park: ParkFacts & { id: number };
  /** Asks for the terms before the first post. */
  beforePost: () => Promise<boolean>;
  onClose: () => void;
}

export default function SuggestSheet({ open, ...rest }: SuggestSheetProps) {
  return open ? <OpenSheet {...rest} /> : null;
}

function OpenSheet({ park, beforePost, onClose }: Omit<SuggestSheetProps, 'open'>) {
  const t = useT();
  const suggest = useSuggestDetails();
  const idempotencyKey = useIdempotencyKey();
  const [draft, setDraft] = useState(() => draftOf(park));
  const [problems, setProblems] = useState<FormProblems>({});
  const [nothing, setNothing] = useState(false);
  const [busy, setBusy] = useState(false);
  useUnsaved(JSON.stringify(draft) !== JSON.stringify(draftOf(park)));

  const send = async () => {
    const checked = v.safeParse(parkFactsInput, factsOf(draft));
    setProblems(checked.success ? {} : formProblems(checked.issues));
    if (!checked.success) {
      focusFirstProblem();
      return;
    }
    const facts = changedFacts(draft, park);
    setNothing(facts === null);
    if (!facts) return;
    setBusy(true);
    try {
      if (!(await beforePost())) return;
      await suggest.mutateAsync({ parkId: park.id, facts, key: idempotencyKey.of(facts) });
      idempotencyKey.done();
      showToast(t('parks.suggest.thanks'), { kind: 'success' });
      onClose();
    } catch (error) {
      showToast(errorText(error), { kind: 'error' });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Sheet
      open
      onClose={onClose}
      title={t('parks.suggest.title')}
      footer={
        <Button
          busy={busy}
          onClick={() => {
            void send();
          }}
        >
          {t('parks.suggest.send')}
        </Button>
      }
    >
      <div className={styles.form}>
        <ParkFactsFields
          draft={draft}
          onChange={(patch) => {
            setDraft({ ...draft, ...patch });
            setNothing(false);
          }}
          problems={problems}
        />
        {nothing && (
          <p role="alert" className={styles.problem}>
            {t('parks.suggest.nothing')}
          </p>
        )}
      </div>
    </Sheet>
  );
}
