// Nothing here yet: a dog, one sentence, one action.
import type { ReactNode } from 'react';
import type { DogPose } from '#/ui/dog-drawing.tsx';
import { LazyDog } from '#/ui/lazy-dog.tsx';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  pose?: DogPose;
  text: string;
  /** One Button or ButtonLink. */
  action?: ReactNode;
}

export function EmptyState({ pose = 'sitting', text, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <LazyDog pose={pose} />
      <p className={styles.text}>{text}</p>
      {action}
    </div>
  );
}
