// The time as React state, renewed while the component is on the screen.
import { useEffect, useState } from 'react';

/** Milliseconds since 1970. @param everyMs how often it is renewed */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
