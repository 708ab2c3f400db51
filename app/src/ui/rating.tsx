// A park's rating as '★ 4.8', with the number of reviews if it is known.
import { Star } from 'lucide-react';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './rating.module.css';

interface RatingProps {
  /** 1 to 5. */
  rank: number;
  count?: number | undefined;
}

export function Rating({ rank, count }: RatingProps) {
  const t = useT();
  const locale = useLocale();
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return (
    <span className={styles.rating}>
      <Icon of={Star} size={16} className={styles.star} />
      <span aria-hidden>
        {new Intl.NumberFormat(locale, digits).format(rank)}
        {count !== undefined && ` (${new Intl.NumberFormat(locale).format(count)})`}
      </span>
      <span className="visually-hidden">
        {count === undefined ? t('ui.rating', { rank }) : t('ui.ratingOf', { rank, count })}.
      </span>
    </span>
  );
}
