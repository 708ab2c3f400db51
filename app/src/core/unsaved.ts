// Tracks forms with unsaved input. A click outside their sheet does not close it. Unless the input is also stored on the device,
// the browser confirms leaving the page, and the app does not reload itself.
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
