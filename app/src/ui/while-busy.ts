// What a button is that takes no click now: it keeps its focus, which a disabled one would lose, and says so.
import type { MouseEventHandler } from 'react';

type Click = MouseEventHandler<HTMLButtonElement> | undefined;

/** @param idle it has nothing to do, as at the end of a row */
export const whileBusy = (busy: boolean, onClick: Click, idle = false) => ({
  'aria-disabled': busy || idle || undefined,
  'aria-busy': busy || undefined,
  onClick:
    busy || idle ? (event: Parameters<NonNullable<Click>>[0]) => event.preventDefault() : onClick,
});
