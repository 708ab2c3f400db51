// Sends a form once at a time: a second click while the first request is running does nothing.
import { type SyntheticEvent, useRef, useState } from 'react';
import { swallowSecondClick } from '#/ui/second-click.ts';
import { showError } from '#/ui/toast.ts';

/** @param send shows the errors that belong to a field; what it throws is shown as a toast */
export function useSubmit(send: () => Promise<void>): {
  busy: boolean;
  onSubmit: (event: SyntheticEvent) => void;
} {
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  return {
    busy,
    onSubmit(event) {
      event.preventDefault();
      if (sending.current) return;
      // Error messages disappear while it is sent, so what is below moves up under the pointer.
      swallowSecondClick();
      sending.current = true;
      setBusy(true);
      void send()
        .catch(showError)
        .finally(() => {
          sending.current = false;
          setBusy(false);
        });
    },
  };
}
