// A form that is sent once at a time: what a second click does while the first is on its way is nothing.
import { type SyntheticEvent, useRef, useState } from 'react';
import { swallowSecondClick } from '#/ui/second-click.ts';

/** @param send says itself what went wrong: it does not reject */
export function useSubmit(send: () => Promise<void>): {
  /** Something is on its way. */
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
      // Messages go while it is sent, and what stands below moves up under the pointer.
      swallowSecondClick();
      sending.current = true;
      setBusy(true);
      void send().finally(() => {
        sending.current = false;
        setBusy(false);
      });
    },
  };
}
