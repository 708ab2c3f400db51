// A placeholder for content that is loading. The surrounding region should have aria-busy.
import { classNames } from '#/ui/class-names.ts';
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** CSS sizes. Without a height, the skeleton is one line of text. */
  width?: string;
  height?: string;
  round?: boolean;
  className?: string | undefined;
}

export const Skeleton = ({
  width = '100%',
  height = '1em',
  round = false,
  className,
}: SkeletonProps) => (
  <span
    aria-hidden
    className={classNames(styles.skeleton, round && styles.round, className)}
    style={{ inlineSize: width, blockSize: height }}
  />
);

export const SkeletonText = ({ lines = 3 }: { lines?: number }) => (
  <span aria-hidden className="grid-2">
    {Array.from({ length: lines }, (_, line) => (
      <Skeleton key={line} width={line === lines - 1 ? '60%' : '100%'} />
    ))}
  </span>
);
