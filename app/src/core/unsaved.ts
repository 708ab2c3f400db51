// Whether a form of this page holds input that is not sent: a tap beside its sheet then closes nothing; and where that is not kept
// on this device, the browser asks before the page is left, and the app never reloads by itself.
let forms = 0;
let atRisk = 0;

export const hasUnsaved = (): boolean => atRisk > 0;

/** How many forms have unsaved input; a modal compares it with the number when it opened. */
export const unsavedForms = (): number => forms;

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Marks the page as unsaved until the returned function is called. `isKept`: the input is there again after a reload. */
export function holdUnsaved(isKept = false): () => void {
  forms++;
  // A page with this listener cannot enter the back-forward cache, so it is registered only while it is needed.
  if (!isKept && atRisk++ === 0) addEventListener('beforeunload', ask);
  let over = false;
  return () => {
    if (over) return;
    over = true;
    forms--;
    if (!isKept && --atRisk === 0) removeEventListener('beforeunload', ask);
  };
}
