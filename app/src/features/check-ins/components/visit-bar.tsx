// The visit bar above the navbar, such as 'Long Lawn, 52 min left', with one-tap check-out. It is shown on every screen.
import { Link } from '@tanstack/react-router';
import { LogOut, TriangleAlert, Undo2 } from 'lucide-react';
import { type EndedVisit, endedVisit } from '#/features/check-ins/ended-visit.ts';
import { useCheckOut } from '#/features/check-ins/commands/check-out.command.ts';
import type { MyVisit } from '#/features/check-ins/my-visit.ts';
import { formatMinutesShort } from '#/features/check-ins/format-minutes.ts';
import { useUndoCheckIn } from '#/features/check-ins/use-undo-check-in.ts';
import { minutesLeft, shareGone, UNDO_OFFERED_MS } from '#/features/check-ins/check-in-limits.ts';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { useNow } from '#/core/use-now.ts';
import { cachedParkName } from '#/entities/parks/cached-park-name.ts';
import { Button } from '#/ui/button.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { showError } from '#/ui/toast.ts';
import { useHeightProperty } from '#/ui/use-height-property.ts';
import styles from './visit-bar.module.css';

interface VisitBarProps {
  visit: MyVisit;
  onReport: () => void;
  onLeft: (visit: EndedVisit) => void;
}

export function VisitBar({ visit, onReport, onLeft }: VisitBarProps) {
  const t = useT();
  const language = useLanguage();
  const locale = useLocale();
  const now = useNow(10_000);
  const checkOut = useCheckOut();
  const left = minutesLeft(visit.started_at, visit.expires_at, now);
  const { park_id: parkId, check_in_id: visitId } = visit;
  const bar = useHeightProperty<HTMLElement>('--visit-bar');

  const leave = async () => {
    const leftAt = Date.now();
    try {
      const answer = await checkOut.mutateAsync({ visitId, parkId });
      if (answer === 'queued' || answer.status !== 'checked_out') return;
      onLeft(endedVisit(visitId, answer, leftAt, answer.offer_review));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <section ref={bar} className={styles.bar} aria-label={t('checkIns.here.title')}>
      <span
        className={styles.remaining}
        aria-hidden
        style={{
          inlineSize: `${String(100 - shareGone(visit.started_at, visit.expires_at, now) * 100)}%`,
        }}
      />
      <Link to="/parks/$parkId" params={{ parkId }} className={styles.place}>
        <bdi className={styles.name}>{cachedParkName(parkId, language) ?? visit.park_name}</bdi>
        <span role="timer" className={styles.left}>
          {t('checkIns.here.left', { time: formatMinutesShort(left, locale, t) })}
          {visit.isQueued && ` · ${t('ui.notSentYet')}`}
        </span>
      </Link>
      {!visit.isQueued && <UndoButton visit={visit} />}
      <IconButton
        icon={TriangleAlert}
        label={t('checkIns.here.report')}
        className={styles.report}
        onClick={onReport}
      />
      <Button
        icon={LogOut}
        directionalIcon
        busy={checkOut.isPending}
        className={styles.leave}
        onClick={() => void leave()}
      >
        {t('checkIns.here.checkOut')}
      </Button>
    </section>
  );
}

/** A separate component, because only this button depends on the second. */
function UndoButton({ visit }: { visit: MyVisit }) {
  const t = useT();
  const now = useNow(1000);
  const undo = useUndoCheckIn();
  if (now - Date.parse(visit.started_at) >= UNDO_OFFERED_MS) return null;
  return (
    <IconButton
      icon={Undo2}
      directional
      label={t('checkIns.undo')}
      className={styles.undo}
      onClick={() => undo({ visitId: visit.check_in_id, parkId: visit.park_id })}
    />
  );
}
