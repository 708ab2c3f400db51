// Nothing here yet: a dog, one sentence, one action.
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import type { DogPose } from '#/ui/dog-drawing.tsx';
import styles from './empty-state.module.css';

/** Decoration comes after what it decorates, and may not come at all. */
const DogDrawing = lazy<ComponentType<{ pose: DogPose }>>(() =>
  import('#/ui/dog-drawing.tsx').then(
    (module) => ({ default: module.DogDrawing }),
    () => ({ default: () => null }),
  ),
);

interface EmptyStateProps {
  pose?: DogPose;
  text: string;
  /** One Button or ButtonLink. */
  action?: ReactNode;
}

export function EmptyState({ pose = 'sitting', text, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.drawing}>
        <Suspense fallback={null}>
          <DogDrawing pose={pose} />
        </Suspense>
      </div>
      <p className={styles.text}>{text}</p>
      {action}
    </div>
  );
}
