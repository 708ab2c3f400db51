// A bottom sheet that follows the finger. Dragging it up opens it, and dragging it down closes it. Buttons do the same.
import { type PointerEvent, useRef } from 'react';

/** Minimum drag distance in pixels. */
const UP = 56;
const DOWN = 72;

/** Returns the sheet's ref and the handlers for the area that drags it. A mouse selects text in this area instead. */
export function useSheetDrag({ onUp, onDown }: { onUp: () => void; onDown: () => void }) {
  const sheet = useRef<HTMLElement>(null);
  const from = useRef<number | null>(null);
  const show = (by: number) => {
    // When dragged up, the sheet moves by a third of the distance, as a hint that the park's page will open.
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
