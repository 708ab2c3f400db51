// A small game on the error screen. A tap tosses the bone for 0.8 s, and the tosses are counted.
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { DogDrawing } from '#/ui/dog-drawing.tsx';
import styles from './bone-game.module.css';

export function BoneGame() {
  const t = useT();
  const [tosses, setTosses] = useState(0);
  return (
    <div className={styles.game}>
      <DogDrawing pose="sitting" size={168} className={styles.dog} />
      <button
        type="button"
        className={styles.bone}
        aria-label={t('shell.bone.toss')}
        onClick={() => setTosses(tosses + 1)}
      >
        {/* A new key restarts the animation, even while it is running. */}
        <svg
          key={tosses}
          aria-hidden
          viewBox="0 0 64 28"
          width={72}
          height={32}
          className={tosses > 0 ? styles.tossed : undefined}
        >
          <path d="M15 9c-1-5-8-6-10-2-2 3 0 6 2 7-2 1-4 4-2 7 2 4 9 3 10-2h34c1 5 8 6 10 2 2-3 0-6-2-7 2-1 4-4 2-7-2-4-9-3-10 2z" />
        </svg>
      </button>
      <p className="note" aria-live="polite">
        {tosses === 0 ? t('shell.bone.hint') : t('shell.bone.count', { count: tosses })}
      </p>
    </div>
  );
}
