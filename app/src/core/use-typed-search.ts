// Connects a search field to a query parameter. Typing updates the URL after a pause, and other changes of the URL, such as a link
// without a query, update the field.
import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 250;

/** @param asked the query parameter, '' if empty @param ask sets it to the trimmed text */
export function useTypedSearch(
  asked: string,
  ask: (text: string) => void,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(asked);
  const [sent, setSent] = useState(asked);
  const [seen, setSeen] = useState(asked);
  if (asked !== seen) {
    setSeen(asked);
    // The field's own URL update arrives after further typing, which it must not overwrite.
    if (asked !== sent) {
      setSent(asked);
      setTyped(asked);
    }
  }
  const send = useEffectEvent((text: string) => {
    setSent(text);
    ask(text);
  });

  useEffect(() => {
    const text = typed.trim();
    if (text === sent) return;
    const timer = setTimeout(() => send(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, sent]);

  return [typed, setTyped];
}
