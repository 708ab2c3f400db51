// The checkbox that confirms the user's age, for every form that still needs it.
import { type ReactNode, useState } from 'react';
import { minimumAge } from '#/entities/users/minimum-age.ts';
import { useT } from '#/i18n/i18n.ts';
import { Checkbox } from '#/ui/checkbox.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';

/** `isConfirmed` shows an error at the checkbox if the user has not checked it. */
export function useAgeCheckbox(): { checkbox: ReactNode; isConfirmed: () => boolean } {
  const t = useT();
  const [ofAge, setOfAge] = useState(false);
  const [missing, setMissing] = useState(false);
  const isConfirmed = () => {
    setMissing(!ofAge);
    if (!ofAge) focusFirstProblem();
    return ofAge;
  };
  const checkbox = (
    <Checkbox
      label={t('consents.gate.age', minimumAge())}
      checked={ofAge}
      error={missing ? t('auth.form.ageMissing') : null}
      onChange={(on) => {
        setOfAge(on);
        setMissing(false);
      }}
    />
  );
  return { checkbox, isConfirmed };
}
