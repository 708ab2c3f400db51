// Whether a form of this page has unsaved input: then the browser asks before the page is left, and the app never reloads by itself.
import { useEffect } from 'react';

let unsavedCount = 0;

/** True while any form on the page has unsaved input. */
export const hasUnsaved = (): boolean => unsavedCount > 0;

/** How many forms have unsaved input; a modal compares it with the number when it opened. */
export const unsavedForms = (): number => unsavedCount;

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Marks the page as unsaved until the returned function is called. */
export function holdUnsaved(): () => void {
  // A page with this listener cannot enter the back-forward cache, so it is registered only while it is needed.
  if (unsavedCount++ === 0) addEventListener('beforeunload', ask);
  let over = false;
  return () => {
    if (over) return;
    over = true;
    if (--unsavedCount === 0) removeEventListener('beforeunload', ask);
  };
}

/** @param dirty while the form holds changes that are not sent */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => (dirty ? holdUnsaved() : undefined), [dirty]);
}
