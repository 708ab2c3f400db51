// 'You are here': time left, stay longer, check out; the offer to review goes to whoever renders it.
import { Clock, LogOut, MapPinCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useCheckOut } from '#/features/check-ins/commands/check-out.command.ts';
import { useExtendStay } from '#/features/check-ins/commands/extend-stay.ts';
import { presenceKeys } from '#/features/check-ins/presence-keys.ts';
import { formatMinutes } from '#/features/check-ins/format-minutes.ts';
import { extensionLeft, minutesLeft, shareGone } from '#/features/check-ins/stay.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { useIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';
import { errorText } from '#/i18n/errors.ts';
import { useNow } from '#/core/use-now.ts';
import { Button } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { showPopup } from '#/ui/popup.ts';
import { showToast } from '#/ui/toast.ts';
import styles from './here-bar.module.css';

interface HereBarProps {
  parkId: number;
  stay: { started_at: string; expires_at: string };
  /** The person left: here is the moment for a review, a first one or what has changed since theirs. */
  onOfferReview: (which: 'first' | 'edit') => void;
}

export function HereBar({ parkId, stay, onOfferReview }: HereBarProps) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const queryClient = useQueryClient();
  const now = useNow(10_000);
  const checkOut = useCheckOut();
  const extend = useExtendStay(parkId);
  const extending = useIdempotencyKey();
  const left = minutesLeft(stay.expires_at, now);
  const more = extensionLeft(stay.started_at, stay.expires_at);
  const over = left === 0;

  useEffect(() => {
    if (over) void invalidateAll(queryClient, presenceKeys(parkId));
  }, [over, parkId, queryClient]);

  const fail = (error: Error) => {
    showToast(errorText(error), { kind: 'error' });
  };
  return (
    <section className={styles.bar} aria-label={t('checkIns.here.title')}>
      <div className={styles.words}>
        <Icon of={MapPinCheck} />
        <strong>{t('checkIns.here.title')}</strong>
        <span role="timer">{t('checkIns.here.left', { time: formatMinutes(left, locale) })}</span>
      </div>
      <span className={styles.track} aria-hidden>
        <span
          className={styles.gone}
          style={{
            inlineSize: `${String(100 - shareGone(stay.started_at, stay.expires_at, now) * 100)}%`,
          }}
        />
      </span>
      <div className={styles.actions}>
        {more > 0 && (
          <Button
            variant="secondary"
            icon={Clock}
            busy={extend.isPending}
            onClick={() => {
              // The end of the stay as it is seen here: once it has moved, a tap asks for more.
              const key = extending.of([more, stay.expires_at]);
              extend.mutate({ minutes: more, key }, { onSuccess: extending.done, onError: fail });
            }}
          >
            {t('checkIns.here.extend', { time: formatMinutes(more, locale) })}
          </Button>
        )}
        <Button
          icon={LogOut}
          directionalIcon
          busy={checkOut.isPending}
          onClick={() => {
            // A promise, for by the time of the answer this bar may be gone already.
            void checkOut.mutateAsync({ parkId, startedAt: stay.started_at }).then((answer) => {
              if (answer === 'queued') return;
              if (answer.offer_review) onOfferReview('first');
              else if (answer.status === 'checked_out') onOfferReview('edit');
              else showPopup({ text: t('checkIns.goodbye') });
            }, fail);
          }}
        >
          {t('checkIns.here.checkOut')}
        </Button>
      </div>
    </section>
  );
}
