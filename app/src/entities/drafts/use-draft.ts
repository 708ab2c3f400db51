// What a form holds while it is typed: kept on this device until it is sent or dropped, whatever closes the form.
import { useEffect, useState } from 'react';
import { draftKey } from '#/entities/drafts/forget-drafts.ts';
import { fitting, readDraft, writeDraft } from '#/entities/drafts/stored-drafts.ts';
import { registerPersonalStore, useSession } from '#/data/session/session.ts';
import { createStore, useStore } from '#/core/store.ts';
import { holdUnsaved } from '#/core/unsaved.ts';

/** Files stay in memory, also when their form is left. */
const photos = createStore<Readonly<Record<string, unknown>>>({});

registerPersonalStore({
  async clearUnsent(userId) {
    const isOfOthers = ([key]: [string, unknown]) => !key.startsWith(draftKey(userId, ''));
    photos.set(Object.fromEntries(Object.entries(photos.get()).filter(isOfOthers)));
  },
});

/** For a form of nothing but a photo. The browser asks before it would be lost, as long as the form is shown. */
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

/** @param name `review/12` @param shape of an empty form, where fields of `initial` may become unknown */
export function useDraft<Draft, Photo = File>(name: string, initial: Draft, shape = initial) {
  const chosen = useDraftPhoto<Photo>(name);
  const { userId } = useSession();
  // A session that is lost meanwhile changes nothing about whose it is.
  const [owner] = useState(userId);
  const [draft, setDraft] = useState(() => fitting(shape, readDraft(owner, name), initial));
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial);
  const isBegun = isDirty || chosen.photo !== null;
  const [wasOld, setWasOld] = useState(isBegun);
  useEffect(() => {
    const isKept = writeDraft(owner, name, isDirty ? draft : null);
    return isDirty ? holdUnsaved(isKept) : undefined;
  }, [owner, name, draft, isDirty]);
  return {
    draft,
    setDraft,
    ...chosen,
    /** It was typed before the form was opened. */
    isOld: wasOld && isBegun,
    /** It was sent, or is not wanted any more. */
    drop() {
      // A form that closes now runs no more effects.
      writeDraft(owner, name, null);
      setDraft(initial);
      setWasOld(false);
      chosen.setPhoto(null);
    },
  };
}
