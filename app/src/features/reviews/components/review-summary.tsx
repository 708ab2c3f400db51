// A park's rating: average, number of reviews, and their distribution.
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Card } from '#/ui/card.tsx';
import { Stars } from '#/ui/stars.tsx';
import styles from './review-summary.module.css';

interface ReviewSummaryProps {
  average: number | null;
  count: number;
  /** The number of reviews with 1, 2, 3, 4 and 5 stars. */
  distribution: readonly number[];
}

export function ReviewSummary({ average, count, distribution }: ReviewSummaryProps) {
  const t = useT();
  const locale = useLocale();
  if (average === null || count === 0) return null;
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const mean = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return (
    <Card as="section" className={styles.summary} aria-label={t('parks.list.sort.rank')}>
      <div className={styles.average}>
        <strong aria-hidden>{mean.format(average)}</strong>
        <Stars rank={average} size={20} />
        <span className="small-note">{t('reviews.summary.count', { count })}</span>
      </div>
      <ul className={styles.bars}>
        {distribution
          .map((given, index) => ({ given, rank: index + 1 }))
          .reverse()
          .map(({ given, rank }) => (
            <li key={rank} className={styles.bar}>
              <span aria-hidden>{number.format(rank)}</span>
              <span aria-hidden className={styles.track}>
                <span style={{ inlineSize: `${String((given / count) * 100)}%` }} />
              </span>
              <span aria-hidden className={styles.share}>
                {number.format(given)}
              </span>
              <span className="visually-hidden">
                {t('reviews.summary.given', { rank, count: given })}
              </span>
            </li>
          ))}
      </ul>
    </Card>
  );
}
