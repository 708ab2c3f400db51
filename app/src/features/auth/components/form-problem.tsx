// An error of the whole form, announced when it appears.
import { CircleAlert } from 'lucide-react';
import { Icon } from '#/ui/icon.tsx';
import { useErrorTitle } from '#/ui/use-title.ts';
import styles from './form.module.css';

export function FormProblem({ text }: { text: string | null }) {
  useErrorTitle(text !== null);
  return (
    <div role="alert" className={styles.alert}>
      {text && (
        <p className={styles.problem}>
          <Icon of={CircleAlert} />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}
