// A small number, starting at 1, with two buttons.
import { Minus, Plus } from 'lucide-react';
import { useId } from 'react';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './stepper.module.css';

interface StepperProps {
  label: string;
  value: number;
  most: number;
  onChange: (value: number) => void;
}

export function Stepper({ label, value, most, onChange }: StepperProps) {
  const t = useT();
  const id = useId();
  const locale = useLocale();
  return (
    <div role="group" aria-labelledby={id} className="row-2">
      <span id={id} className={styles.label}>
        {label}
      </span>
      <IconButton
        icon={Minus}
        label={t('ui.stepper.fewer')}
        disabled={value <= 1}
        onClick={() => onChange(value - 1)}
      />
      <output className={styles.value}>{new Intl.NumberFormat(locale).format(value)}</output>
      <IconButton
        icon={Plus}
        label={t('ui.stepper.more')}
        disabled={value >= most}
        onClick={() => onChange(value + 1)}
      />
    </div>
  );
}
