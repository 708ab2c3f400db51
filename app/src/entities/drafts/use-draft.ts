// A form's input, saved on this device until it is sent or discarded, however the form is closed.
import { useEffect, useState } from 'react';
import { draftKey } from '#/entities/drafts/clear-drafts.ts';
import { fitting, readDraft, writeDraft } from '#/entities/drafts/stored-drafts.ts';
import { registerPersonalStore, useSession } from '#/data/session/session.ts';
import { createStore, useStore } from '#/core/store.ts';
import { holdUnsaved } from '#/core/unsaved.ts';

/** Files stay in memory, even after their form is closed. */
const photos = createStore<Readonly<Record<string, unknown>>>({});

registerPersonalStore({
  async clearUnsent(userId) {
    const isOfOthers = ([key]: [string, unknown]) => !key.startsWith(draftKey(userId, ''));
    photos.set(Object.fromEntries(Object.entries(photos.get()).filter(isOfOthers)));
  },
});

/** For a form with only a photo. While the form is shown, the browser warns before the photo is lost. */
export function useDraftPhoto<Photo = File>(name: string, isShown = true) {
  const { userId } = useSession();
  const [owner] = useState(userId);
  const key = draftKey(owner, name);
  const photo = (useStore(photos)[key] ?? null) as Photo | null;
  const isAtRisk = isShown && photo !== null;
  useEffect(() => (isAtRisk ? holdUnsaved() : undefined), [isAtRisk]);
  return {
    photo,
    setPhoto: (next: Photo | null) => photos.set({ ...photos.get(), [key]: next }),
  };
}

/** @param name for example `review/12` @param shape the empty form, which tells the fields of `initial` that may become unknown */
export function useDraft<Draft, Photo = File>(name: string, initial: Draft, shape = initial) {
  const chosen = useDraftPhoto<Photo>(name);
  const { userId } = useSession();
  // The draft keeps its owner even if the session is lost meanwhile.
  const [owner] = useState(userId);
  const [draft, setDraft] = useState(() => fitting(shape, readDraft(owner, name), initial));
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial);
  const isBegun = isDirty || chosen.photo !== null;
  const [wasOld, setWasOld] = useState(isBegun);
  useEffect(() => {
    const isSaved = writeDraft(owner, name, isDirty ? draft : null);
    return isDirty ? holdUnsaved(isSaved) : undefined;
  }, [owner, name, draft, isDirty]);
  return {
    draft,
    setDraft,
    ...chosen,
    /** The draft was restored when the form opened. */
    isOld: wasOld && isBegun,
    /** Discards the draft after it was sent or cancelled. */
    drop() {
      // The form may be closing, so its effects might not run any more.
      writeDraft(owner, name, null);
      setDraft(initial);
      setWasOld(false);
      chosen.setPhoto(null);
    },
  };
}
