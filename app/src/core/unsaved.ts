// Whether a form of this page holds something typed that is not sent: then the browser asks before the page goes, and we reload nothing by ourselves.
import { useEffect } from 'react';

let held = 0;

/** True while any form on the page holds something. */
export const hasUnsaved = (): boolean => held > 0;

/** How many forms hold something: what a modal compares with when it opened. */
export const unsavedForms = (): number => held;

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Say so until the given function is called. */
export function holdUnsaved(): () => void {
  // The listener costs the way back from the browser's memory, so it is there only while it is needed.
  if (held++ === 0) addEventListener('beforeunload', ask);
  let over = false;
  return () => {
    if (over) return;
    over = true;
    if (--held === 0) removeEventListener('beforeunload', ask);
  };
}

/** @param dirty while the form holds changes that are not sent */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => (dirty ? holdUnsaved() : undefined), [dirty]);
}
