// Prevents a second submit while the first is running.
import { type SyntheticEvent, useRef, useState } from 'react';
import { ignoreSecondClick } from '#/ui/second-click.ts';
import { showError } from '#/ui/toast.ts';

/** @param send shows the errors of fields; errors that it throws are shown as a toast */
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
      // Error messages disappear now and content moves up under the pointer, so ignore the second click of a double click.
      ignoreSecondClick();
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
