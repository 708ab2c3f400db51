// What a form holds while it is typed: kept on this device until it is sent or dropped, whatever closes the form.
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { fitting, readDraft, writeDraft } from '#/data/drafts/stored-drafts.ts';
import { useSession } from '#/data/session/session.ts';
import { holdUnsaved } from '#/core/unsaved.ts';

interface FormDraft<Draft> {
  draft: Draft;
  setDraft: Dispatch<SetStateAction<Draft>>;
  /** It was typed before the form was opened. */
  isOld: boolean;
  /** It was sent, or is not wanted any more. */
  drop: () => void;
}

/**
 * @param name what the form is about: `review/12`
 * @param initial what it holds where nothing was typed
 * @param shape the same of an empty form, where fields of `initial` may become unknown
 */
export function useDraft<Draft>(name: string, initial: Draft, shape = initial): FormDraft<Draft> {
  const { userId } = useSession();
  // A session that is lost meanwhile changes nothing about whose it is.
  const [owner] = useState(userId);
  const [draft, setDraft] = useState(() => fitting(shape, readDraft(owner, name), initial));
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial);
  const [wasOld, setWasOld] = useState(isDirty);
  useEffect(() => {
    const isKept = writeDraft(owner, name, isDirty ? draft : null);
    return isDirty ? holdUnsaved(isKept) : undefined;
  }, [owner, name, draft, isDirty]);
  return {
    draft,
    setDraft,
    isOld: wasOld && isDirty,
    drop() {
      // A form that closes now runs no more effects.
      writeDraft(owner, name, null);
      setDraft(initial);
      setWasOld(false);
    },
  };
}
