// The one field of a small form: what is typed, and what is wrong with it until something else is typed.
import { type ChangeEvent, useState } from 'react';
import { focusFirstProblem } from '#/ui/focus-problem.ts';

export function useOneField() {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  const onText = (next: string) => {
    setValue(next);
    setError(null);
  };
  return {
    value,
    clear: () => setValue(''),
    refuse(text: string): void {
      setError(text);
      focusFirstProblem();
    },
    /** For a CodeField. */
    code: { value, error, onChange: onText },
    /** For a TextField. */
    text: {
      value,
      error,
      onChange: (event: ChangeEvent<HTMLInputElement>) => onText(event.target.value),
    },
  };
}
