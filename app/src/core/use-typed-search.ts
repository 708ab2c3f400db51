// The text of a search field and the same text in the address: the address follows the typing after a pause, and the field
// follows an address that changed by something else, such as a link to the bare list.
import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 250;

/** @param asked what the address asks for, '' for nothing @param ask puts a text, trimmed, into the address */
export function useTypedSearch(
  asked: string,
  ask: (text: string) => void,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(asked);
  const [sent, setSent] = useState(asked);
  const [seen, setSeen] = useState(asked);
  if (asked !== seen) {
    setSeen(asked);
    // The field's own change of the address arrives later than the next letters; it must not overwrite them.
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
