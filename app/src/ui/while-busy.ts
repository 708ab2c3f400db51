// What a button is while something that it started is under way: it keeps its focus, says so, and takes no second click.
import type { MouseEventHandler } from 'react';

type Click = MouseEventHandler<HTMLButtonElement> | undefined;

export const whileBusy = (busy: boolean, onClick: Click) => ({
  'aria-disabled': busy || undefined,
  'aria-busy': busy || undefined,
  onClick: busy ? (event: Parameters<NonNullable<Click>>[0]) => event.preventDefault() : onClick,
});
