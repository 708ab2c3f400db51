// The reviews by a user, each with its park.
import { Link } from '@tanstack/react-router';
import { EyeOff } from 'lucide-react';
import type { UserReview } from '#/features/users/queries/user-reviews.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { languageOf } from '#/i18n/written-text.ts';
import { Card } from '#/ui/card.tsx';
import { Chip } from '#/ui/chip.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Stars } from '#/ui/stars.tsx';
import styles from './user-review-list.module.css';

export function UserReviewList({ reviews }: { reviews: readonly UserReview[] }) {
  const t = useT();
  const locale = useLocale();
  const date = new Intl.DateTimeFormat(locale, DAY);
  if (reviews.length === 0) return <EmptyState pose="sitting" text={t('users.reviews.empty')} />;
  return (
    <ul className="column-3">
      {reviews.map((review) => (
        <Card as="li" key={review.id} className="column-2">
          <Link to="/parks/$parkId/reviews" params={{ parkId: review.park_id }} className="strong">
            <bdi>{review.park_name}</bdi>
          </Link>
          <div className="row-wrap-3 note">
            <Stars rank={review.rank} />
            <time dateTime={review.created_at}>{date.format(new Date(review.created_at))}</time>
            {review.anonymous && <Chip icon={EyeOff}>{t('reviews.card.anonymous')}</Chip>}
          </div>
          {review.title && (
            <h2 dir="auto" lang={languageOf(review.title)} className="text-3">
              {review.title}
            </h2>
          )}
          {review.content && (
            <p dir="auto" lang={languageOf(review.content)} className={styles.content}>
              {review.content}
            </p>
          )}
        </Card>
      ))}
    </ul>
  );
}
