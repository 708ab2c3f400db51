// The confirmation of the age, wherever it is still asked for.
import { minimumAge } from '#/data/age/minimum-age.ts';
import { useT } from '#/i18n/i18n.ts';
import { Checkbox } from '#/ui/checkbox.tsx';

interface AgeCheckboxProps {
  checked: boolean;
  /** Somebody wanted to go on without it. */
  missing: boolean;
  onChange: (checked: boolean) => void;
}

export function AgeCheckbox({ checked, missing, onChange }: AgeCheckboxProps) {
  const t = useT();
  return (
    <Checkbox
      label={t('consents.gate.age', minimumAge())}
      checked={checked}
      onChange={onChange}
      error={missing ? t('auth.form.ageMissing') : null}
    />
  );
}
