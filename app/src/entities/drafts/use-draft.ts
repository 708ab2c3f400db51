// A form's input. It is saved on this device until it is sent or discarded, even if the form is closed without either.
import { useEffect, useState } from 'react';
import { draftKey } from '#/entities/drafts/clear-drafts.ts';
import { readPhoto, writePhoto } from '#/entities/drafts/draft-photos.ts';
import { fitting, readDraft, writeDraft } from '#/entities/drafts/stored-drafts.ts';
import { registerPersonalStore, useSession } from '#/data/session/session.ts';
import { createStore, useStore } from '#/core/store.ts';
import { holdUnsaved } from '#/core/unsaved.ts';
import { readLocal } from '#/platform/local-settings.ts';

/** Photos stay in memory after their form is closed; those of logged-in users are also stored on this device. */
const photos = createStore<Readonly<Record<string, unknown>>>({});

registerPersonalStore({
  async clearUnsent(userId) {
    const isOfOthers = ([key]: [string, unknown]) => !key.startsWith(draftKey(userId, ''));
    photos.set(Object.fromEntries(Object.entries(photos.get()).filter(isOfOthers)));
  },
});

const fileOf = (photo: unknown): unknown =>
  photo instanceof File ? photo : (photo as { file?: File } | null)?.file;

const warn = (error: unknown) => console.warn('The photo is not stored on this device:', error);

/** For a form with only a photo. While the form is shown, the browser warns before the photo is lost. */
export function useDraftPhoto<Photo = File>(name: string, isShown = true) {
  const { userId } = useSession();
  const [owner] = useState(userId);
  const key = draftKey(owner, name);
  const photo = (useStore(photos)[key] ?? null) as Photo | null;
  const isAtRisk = isShown && photo !== null;
  useEffect(() => (isAtRisk ? holdUnsaved() : undefined), [isAtRisk]);
  const [isRestored, setRestored] = useState(false);
  useEffect(() => {
    if (owner === null || key in photos.get() || readLocal('draftPhotos') === null) return;
    readPhoto(key)
      .then((found = null) => {
        if (found === null || key in photos.get()) return;
        photos.set({ ...photos.get(), [key]: found });
        setRestored(true);
      })
      .catch(warn);
  }, [owner, key]);
  return {
    photo,
    /** The photo was chosen before this page was loaded. */
    isRestored,
    setPhoto(next: Photo | null) {
      const isNew = fileOf(next) !== fileOf(photos.get()[key] ?? null);
      photos.set({ ...photos.get(), [key]: next });
      if (!isNew) return;
      setRestored(false);
      if (owner !== null) writePhoto(key, next).catch(warn);
    },
  };
}

/**
 * @param name for example `review/12`
 * @param shape the empty form; a field that is null in it may have any type in a stored draft
 */
export function useDraft<Draft, Photo = File>(name: string, initial: Draft, shape = initial) {
  const chosen = useDraftPhoto<Photo>(name);
  const { userId } = useSession();
  // The draft keeps its owner even if the session ends before it is saved.
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
    /** True if the draft was already there when the form opened. */
    isOld: (wasOld || chosen.isRestored) && isBegun,
    /** Discards the draft after it was sent or cancelled. */
    drop() {
      // Write directly, because the form may be closing, and its effects may no longer run.
      writeDraft(owner, name, null);
      setDraft(initial);
      setWasOld(false);
      chosen.setPhoto(null);
    },
  };
}
