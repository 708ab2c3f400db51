// A review with its author (or anonymous), rating, text and actions.
import { Flag, PencilLine, Trash2 } from 'lucide-react';
import type { ParkReview } from '#/features/reviews/queries/park-reviews.ts';
import { DAY } from '#/i18n/day-format.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { languageOf } from '#/i18n/written-text.ts';
import { parkTimeZone } from '../../../../../shared/park-time.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Card } from '#/ui/card.tsx';
import { Chip } from '#/ui/chip.tsx';
import { Menu } from '#/ui/menu.tsx';
import { Stars } from '#/ui/stars.tsx';
import styles from './review-card.module.css';

interface ReviewCardProps {
  review: ParkReview;
  /** Null if the park accepts no changes. */
  onEdit: (() => void) | null;
  onDelete: () => void;
  onReport: () => void;
}

export function ReviewCard({ review, onEdit, onDelete, onReport }: ReviewCardProps) {
  const t = useT();
  const locale = useLocale();
  const author = review.author_name ?? t('reviews.card.anonymous');
  const written = new Date(review.updated_at);
  const date = new Intl.DateTimeFormat(locale, { ...DAY, timeZone: parkTimeZone() }).format(
    written,
  );
  return (
    <Card as="article" className="grid-2">
      <header className="row-3">
        <Avatar name={review.author_name ?? ''} src={avatarUrl(review.author_picture)} />
        <div className={styles.author}>
          <strong>
            <bdi>{author}</bdi>
          </strong>
          <span className={styles.meta}>
            <Stars rank={review.rank} />
            <time dateTime={review.updated_at}>{date}</time>
            {review.updated_at !== review.created_at && <span>{t('reviews.card.edited')}</span>}
            {review.mine && <Chip tone="ball">{t('reviews.card.mine')}</Chip>}
          </span>
        </div>
        <Menu
          label={t('reviews.card.actions')}
          items={
            review.mine
              ? [
                  ...(onEdit ? [{ label: t('ui.edit'), icon: PencilLine, onSelect: onEdit }] : []),
                  {
                    label: t('reviews.card.delete'),
                    icon: Trash2,
                    danger: true,
                    onSelect: onDelete,
                  },
                ]
              : [{ label: t('ui.report'), icon: Flag, onSelect: onReport }]
          }
        />
      </header>
      {review.title !== '' && (
        <h2 dir="auto" lang={languageOf(review.title)} className="text-3">
          {review.title}
        </h2>
      )}
      {review.content !== '' && (
        <p dir="auto" lang={languageOf(review.content)} className={styles.text}>
          {review.content}
        </p>
      )}
      {review.mine && review.anonymous && (
        <p className={styles.note}>{t('reviews.card.yoursAnonymous')}</p>
      )}
    </Card>
  );
}
