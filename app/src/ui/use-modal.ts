// The behaviour of a modal <dialog>: opens on mount, closes by Esc, backdrop and the back button, and restores the focus. A
// tap on the backdrop does not close it while it has unsaved text.
import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { unsavedForms } from '#/core/unsaved.ts';
import { useOverlay } from '#/ui/overlays.ts';
import { swallowSecondClick } from '#/ui/second-click.ts';
import { registerModal } from '#/ui/modals.ts';

/** Attach the ref to a <dialog> that is rendered only while it is open. @param onClose stops rendering it */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  useOverlay(true, onClose);
  const close = useEffectEvent(onClose);

  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    dialog.showModal();
    // Its title, else the browser takes the button that closes it; the last one asked for wins, such as 'Cancel'.
    [...dialog.querySelectorAll<HTMLElement>('[data-first-focus]')].at(-1)?.focus();
    const leave = registerModal(dialog);
    const unsavedBefore = unsavedForms();
    let pressed: EventTarget | null = null;
    const onPointerDown = (event: PointerEvent) => {
      pressed = event.target;
    };
    // A click whose target is the dialog itself is on the backdrop; a drag that began inside is not one.
    const onClick = (event: MouseEvent) => {
      if (event.target !== dialog || pressed !== dialog) return;
      // What was typed since the modal opened was typed in it.
      if (unsavedForms() <= unsavedBefore) close();
    };
    const onCancel = (event: Event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      close();
    };
    // A form with method=dialog, or a browser that closes in spite of preventDefault (Android's second back).
    const onClosed = () => {
      if (!dialog.open) close();
    };
    const listening = new AbortController();
    const { signal } = listening;
    dialog.addEventListener('pointerdown', onPointerDown, { signal });
    dialog.addEventListener('click', onClick, { signal });
    dialog.addEventListener('cancel', onCancel, { signal });
    dialog.addEventListener('close', onClosed, { signal });
    return () => {
      leave();
      listening.abort();
      swallowSecondClick();
      // Closing before React removes the element gives the focus back to where it was.
      dialog.close();
    };
  }, []);

  return ref;
}
