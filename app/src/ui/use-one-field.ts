// The state of a form with one field: its text, and its error until the text changes.
import { type ChangeEvent, useState } from 'react';
import { errorText } from '#/i18n/errors.ts';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { useSubmit } from '#/ui/use-submit.ts';

/** @param send sends the text; the field shows an error that it throws */
export function useOneField(
  send: (
    value: string,
    act: { reject: (text: string) => void; clear: () => void },
  ) => Promise<void>,
) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  const onText = (next: string) => {
    setValue(next);
    setError(null);
  };
  const reject = (text: string) => {
    setError(text);
    focusFirstProblem();
  };
  const clear = () => setValue('');
  return {
    ...useSubmit(() =>
      send(value, { reject, clear }).catch((thrown: unknown) => reject(errorText(thrown))),
    ),
    clear,
    /** Props for a CodeField. */
    code: { value, error, onChange: onText },
    /** Props for a TextField. */
    text: {
      value,
      error,
      onChange: (event: ChangeEvent<HTMLInputElement>) => onText(event.target.value),
    },
  };
}
