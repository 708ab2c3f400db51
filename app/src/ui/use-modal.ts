// The behaviour of a modal <dialog>: opens on mount, closes with Esc, the backdrop and 'back', and restores the focus. A tap on the
// backdrop does not close it while it has unsaved text.
import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { unsavedForms } from '#/core/unsaved.ts';
import { useOverlay } from '#/ui/overlays.ts';
import { ignoreSecondClick } from '#/ui/second-click.ts';
import { registerModal } from '#/ui/modals.ts';

/** Attach the ref to a <dialog> that is rendered only while it is open. @param onClose must stop rendering it */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  useOverlay(true, onClose);
  const close = useEffectEvent(onClose);

  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    dialog.showModal();
    // Focuses the title, or a later element with data-first-focus such as 'Cancel'. The browser would focus the close button.
    [...dialog.querySelectorAll<HTMLElement>('[data-first-focus]')].at(-1)?.focus();
    const leave = registerModal(dialog);
    const unsavedBefore = unsavedForms();
    let pressed: EventTarget | null = null;
    const onPointerDown = (event: PointerEvent) => {
      pressed = event.target;
    };
    // A click whose target is the dialog itself is on the backdrop, unless it is the end of a drag from inside.
    const onClick = (event: MouseEvent) => {
      if (event.target !== dialog || pressed !== dialog) return;
      // Close only if no form has got unsaved input since the modal opened, because that input was typed in the modal.
      if (unsavedForms() <= unsavedBefore) close();
    };
    const onCancel = (event: Event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      close();
    };
    // The browser may also close the dialog without `onClose`: through a form with method=dialog, or on Android's second 'back'
    // despite preventDefault.
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
      ignoreSecondClick();
      // Close the dialog before React removes it, because closing restores the focus.
      dialog.close();
    };
  }, []);

  return ref;
}
