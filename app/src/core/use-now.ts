// The current time as React state, updated while the component is mounted.
import { useEffect, useState } from 'react';

/** Milliseconds since the epoch. Components with the same period update together. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const update = () => {
      clearTimeout(timer);
      setNow(Date.now());
      timer = setTimeout(update, everyMs - (Date.now() % everyMs));
    };
    timer = setTimeout(update, everyMs - (Date.now() % everyMs));
    // Update when the page becomes visible, because timers do not run reliably while it is hidden.
    document.addEventListener('visibilitychange', update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [everyMs]);
  return now;
}
