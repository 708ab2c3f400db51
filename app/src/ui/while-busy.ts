// Properties of a button that ignores clicks for now. Unlike a disabled button it keeps the focus.
import type { MouseEventHandler } from 'react';

type Click = MouseEventHandler<HTMLButtonElement> | undefined;

/** @param idle true if there is nothing to do, for example at the end of a row */
export const whileBusy = (busy: boolean, onClick: Click, idle = false) => ({
  'aria-disabled': busy || idle || undefined,
  'aria-busy': busy || undefined,
  onClick:
    busy || idle ? (event: Parameters<NonNullable<Click>>[0]) => event.preventDefault() : onClick,
});
