// Line drawings of a dog in one colour (currentColor), for empty states and the error screen.
import type { ReactNode } from 'react';
import { classNames } from '#/ui/class-names.ts';
import styles from './dog-drawing.module.css';

export type DogPose = 'sitting' | 'sleeping' | 'sniffing' | 'playing';

const DRAWINGS: Record<DogPose, ReactNode> = {
  sitting: (
    <>
      <path d="M84 50C70 64 50 78 45 98c-4 16 2 30 16 30h38" />
      <path d="M84 50c-3-16 6-30 22-30 8 0 14 4 17 11l13 5c7 3 7 12 1 15-7 4-15 5-23 4" />
      <path d="M114 55c-3 9-1 17 0 25 2 16-1 30-1 44 0 3 2 4 6 4h6" />
      <path d="M62 128c22 0 30-22 14-32" />
      <path d="M99 90c-2 12-1 26-1 34 0 3 2 4 6 4" />
      <path d="M46 112c-12 2-22-6-24-18" />
      <path d="M101 24c-11 2-17 16-12 30 10-2 15-12 14-24" />
      <circle cx="116" cy="36" r="2.4" className={styles.solid} />
      <path d="M134 35c5 0 7 4 6 7-3 2-7 0-8-3z" className={styles.solid} />
      <path d="M88 58c8 6 16 8 25 6" />
    </>
  ),
  sleeping: (
    <>
      <path d="M118 128H40c-14 0-20-10-18-22 3-20 22-30 42-30 16 0 30 6 38 16" />
      <path d="M30 120c-10 2-16-4-14-14" />
      <path d="M92 128c-4-20 8-36 24-38 8-1 14 2 18 8l9 6c6 4 5 12-1 14-6 3-14 4-22 3" />
      <path d="M112 92c-12 0-20 12-16 26 10 0 17-8 18-19" />
      <path d="M120 106c2 3 6 3 8 1" />
      <path d="M140 102c5 1 6 5 4 8-4 1-7-1-7-4z" className={styles.solid} />
      <path d="M44 128c-4-16 8-28 24-26" />
      <path d="M120 121c4 4 10 7 18 7" />
      <path d="M124 66h10l-10 12h10M140 44h8l-8 10h8" className={styles.faint} />
    </>
  ),
  sniffing: (
    <>
      <path d="M34 74c18-10 44-10 60-4 10 4 16 8 22 16" />
      <path d="M116 86c8 4 12 10 13 18l7 12c3 6-1 11-7 11-7 0-13-4-18-9" />
      <path d="M111 118c-6-4-10-8-14-10-2 6-2 12-2 16 0 3-2 4-5 4h-5" />
      <path d="M86 104c-14 4-26 3-36-1" />
      <path d="M34 74c-6 10-4 20 2 28-2 10-6 18-6 22 0 3 2 4 5 4h6c3-10 6-18 12-24" />
      <path d="M34 74c-10-6-14-18-10-30" />
      <path d="M80 105c0 8 2 16 1 20 0 2-2 3-4 3h-6" />
      <path d="M106 80c-8 6-8 20 0 28 8-4 11-14 8-24" />
      <circle cx="122" cy="105" r="2.4" className={styles.solid} />
      <path d="M132 119c4 0 6 4 4 7-4 2-8-1-8-4z" className={styles.solid} />
      <path d="M144 112c3-2 3-5 1-8M150 116c5-4 5-11 1-16" className={styles.faint} />
    </>
  ),
  playing: (
    <>
      <path d="M40 68c14-2 30 6 42 18 8 8 14 10 20 10" />
      <path d="M102 96c-2-14 6-26 20-28 8-1 14 3 17 9l9 4c6 3 5 11-1 13-6 3-13 4-20 3" />
      <path d="M127 97c-2 8-8 13-14 15l14 12c3 3 1 4-2 4h-10L92 114" />
      <path d="M102 121c-14 0-28-6-38-16" />
      <path d="M40 68c-12 4-16 18-12 30 2 8 2 14 0 22-1 5 1 8 5 8h7c2-8 4-14 8-18 6-1 12-3 16-6" />
      <path d="M38 68c-8-8-8-22 2-32" />
      <path d="M118 71c-10 0-17 12-13 24 10 0 15-8 15-18" />
      <circle cx="130" cy="81" r="2.4" className={styles.solid} />
      <path d="M145 80c5 0 6 4 5 7-4 2-7 0-7-3z" className={styles.solid} />
      <circle cx="142" cy="120" r="9" />
      <path d="M134 117c5 0 8 4 8 11M150 124c-5 0-8-4-7-12" />
    </>
  ),
};

interface DogDrawingProps {
  pose: DogPose;
  size?: number;
  className?: string | undefined;
}

export const DogDrawing = ({ pose, size = 176, className }: DogDrawingProps) => (
  <svg
    aria-hidden
    viewBox="0 0 160 140"
    width={size}
    height={size * 0.875}
    className={classNames(styles.drawing, className)}
  >
    <path d="M14 130h132" className={styles.faint} />
    {DRAWINGS[pose]}
  </svg>
);
