// Connects a search field to a query parameter. Typing updates the URL after a pause, and other changes of the URL, such as a link
// without a query, update the field.
import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 250;

/** @param query the query parameter, '' if empty @param setQuery sets it to the trimmed text */
export function useTypedSearch(
  query: string,
  setQuery: (text: string) => void,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(query);
  const [sent, setSent] = useState(query);
  const [seen, setSeen] = useState(query);
  if (query !== seen) {
    setSeen(query);
    // The URL update that this field has sent may arrive after further typing, and must not overwrite the newer text.
    if (query !== sent) {
      setSent(query);
      setTyped(query);
    }
  }
  const send = useEffectEvent((text: string) => {
    setSent(text);
    setQuery(text);
  });

  useEffect(() => {
    const text = typed.trim();
    if (text === sent) return;
    const timer = setTimeout(() => send(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, sent]);

  return [typed, setTyped];
}
