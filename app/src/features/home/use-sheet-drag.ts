// A bottom sheet that follows the finger: dragging it up opens it, dragging it down closes it. Its buttons do the same.
import { type PointerEvent, useRef } from 'react';

/** Minimum drag distance in pixels. */
const UP = 56;
const DOWN = 72;

/** Returns the sheet's ref and the handlers for its drag area; a mouse selects text there instead. */
export function useSheetDrag({ onUp, onDown }: { onUp: () => void; onDown: () => void }) {
  const sheet = useRef<HTMLElement>(null);
  const from = useRef<number | null>(null);
  const show = (by: number) => {
    // Dragging up opens the park's page, so the sheet itself moves up by only a third of the distance, as a hint.
    if (sheet.current) sheet.current.style.translate = `0 ${by < 0 ? by / 3 : by}px`;
  };
  const end = () => {
    from.current = null;
    show(0);
  };
  const handlers = {
    onPointerDown(event: PointerEvent) {
      if (event.pointerType === 'mouse') return;
      from.current = event.clientY;
    },
    onPointerMove(event: PointerEvent) {
      if (from.current !== null) show(event.clientY - from.current);
    },
    onPointerUp(event: PointerEvent) {
      if (from.current === null) return;
      const by = event.clientY - from.current;
      end();
      if (by < -UP) onUp();
      else if (by > DOWN) onDown();
    },
    onPointerCancel: end,
  };
  return { sheet, handlers };
}
