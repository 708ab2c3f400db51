// An empty state: a dog, one sentence and one action.
import type { ReactNode } from 'react';
import { DogDrawing, type DogPose } from '#/ui/dog-drawing.tsx';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  pose?: DogPose;
  text: string;
  action?: ReactNode;
}

export const EmptyState = ({ pose = 'sitting', text, action }: EmptyStateProps) => (
  <div className={styles.empty}>
    <DogDrawing pose={pose} />
    <p className={styles.text}>{text}</p>
    {action}
  </div>
);
