// Tracks forms with unsaved input. While a form in a sheet has such input, a click outside does not close the
// sheet. If the input is not stored on the device, the browser confirms leaving the page, and the app does not reload it.
let forms = 0;
let atRisk = 0;

export const hasUnsaved = (): boolean => atRisk > 0;

/** Number of forms with unsaved input; a modal compares it with the number when it opened. */
export const unsavedForms = (): number => forms;

const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/** Marks the page as unsaved until the returned function is called. @param isSaved true if the input survives a reload */
export function holdUnsaved(isSaved = false): () => void {
  forms++;
  // Registered only while needed, because pages with this listener are excluded from the back-forward cache.
  if (!isSaved && atRisk++ === 0) addEventListener('beforeunload', confirmLeaving);
  let over = false;
  return () => {
    if (over) return;
    over = true;
    forms--;
    if (!isSaved && --atRisk === 0) removeEventListener('beforeunload', confirmLeaving);
  };
}
