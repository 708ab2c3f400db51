// The time as React state, renewed while the component is on the screen.
import { useEffect, useState } from 'react';

/** Milliseconds since 1970. Components with the same period are renewed together. @param everyMs how often it is renewed */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const renew = () => {
      clearTimeout(timer);
      setNow(Date.now());
      timer = setTimeout(renew, everyMs - (Date.now() % everyMs));
    };
    timer = setTimeout(renew, everyMs - (Date.now() % everyMs));
    // Timers stand still while the page is hidden.
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [everyMs]);
  return now;
}
