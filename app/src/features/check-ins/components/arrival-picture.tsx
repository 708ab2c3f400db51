// The moment of arrival: a dog bounds in while the number of dogs rolls up. Nothing moves where motion is not wanted.
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { DogDrawing } from '#/ui/dog-drawing.tsx';
import styles from './arrival-picture.module.css';

interface ArrivalPictureProps {
  /** Dogs there before; null where nobody knew. */
  before: number | null;
  /** Dogs that came along. */
  arrived: number;
}

export function ArrivalPicture({ before, arrived }: ArrivalPictureProps) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const format = new Intl.NumberFormat(locale);
  return (
    <span className={styles.scene}>
      <DogDrawing pose="playing" size={150} className={styles.dog} />
      {before !== null && (
        <span className={styles.count}>
          <span className={styles.roll} aria-hidden>
            <span>{format.format(before)}</span>
            <span>{format.format(before + arrived)}</span>
          </span>
          <span aria-hidden>{t('parks.live.dogsLabel', { count: before + arrived })}</span>
          <span className="visually-hidden">{t('parks.dogsNow', { count: before + arrived })}</span>
        </span>
      )}
    </span>
  );
}
