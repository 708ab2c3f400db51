// The bar of a user on the way, such as 'Long Lawn, there about 17:20', shown instead of the visit bar. One tap checks in or ends
// the plan.
import { Link } from '@tanstack/react-router';
import { PawPrint, X } from 'lucide-react';
import { DEFAULT_STAY } from '#/features/check-ins/check-in-limits.ts';
import { useCheckIn } from '#/features/check-ins/commands/check-in.command.ts';
import { useCheckOut } from '#/features/check-ins/commands/check-out.command.ts';
import type { Companion } from '#/features/check-ins/components/companion-choice.tsx';
import { useWelcome } from '#/features/check-ins/components/use-welcome.tsx';
import type { MyVisit } from '#/features/check-ins/my-visit.ts';
import { dogsToBring } from '#/features/check-ins/usual-dogs.ts';
import { cachedParkName } from '#/entities/parks/cached-park-name.ts';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { formatParkTime } from '../../../../../shared/park-time.ts';
import { Button } from '#/ui/button.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { showError, showToast } from '#/ui/toast.ts';
import { useHeightProperty } from '#/ui/use-height-property.ts';
import styles from './visit-bar.module.css';

export interface PlanBarProps {
  plan: MyVisit;
  /** The user's dogs; undefined while loading. */
  companions: readonly Companion[] | undefined;
}

export default function PlanBar({ plan, companions }: PlanBarProps) {
  const t = useT();
  const language = useLanguage();
  const locale = useLocale();
  const checkIn = useCheckIn();
  const checkOut = useCheckOut();
  const welcome = useWelcome();
  const bar = useHeightProperty<HTMLElement>('--visit-bar');
  const { park_id: parkId, check_in_id: visitId, arrives_at: arrivesAt } = plan;
  const parkName = cachedParkName(parkId, language) ?? plan.park_name;

  const arrive = async () => {
    const dogIds = dogsToBring(companions ?? []);
    const choice = { dogIds, dogCount: null, stayMinutes: DEFAULT_STAY };
    const answer = await checkIn.mutateAsync({ parkId, parkName, ...choice, switch: true });
    if (answer === 'queued') return;
    if (answer.status === 'planned') showToast(t('checkIns.onMyWay.far'));
    else welcome({ answer, choice, companions, dogsNow: null });
  };
  const end = async () => {
    await checkOut.mutateAsync({ visitId, parkId, undo: true });
    showToast(t('checkIns.onMyWay.ended'));
  };
  return (
    <section ref={bar} className={styles.bar} aria-label={t('ui.onMyWay')}>
      <Link to="/parks/$parkId" params={{ parkId }} className={styles.place}>
        <bdi className={styles.name}>{parkName}</bdi>
        <span className={styles.left}>
          {arrivesAt === null
            ? t('checkIns.onMyWay.planned')
            : t('checkIns.onMyWay.at', { time: formatParkTime(new Date(arrivesAt), locale) })}
          {plan.isQueued && ` · ${t('ui.notSentYet')}`}
        </span>
      </Link>
      <IconButton
        icon={X}
        label={t('checkIns.onMyWay.end')}
        className={styles.report}
        onClick={() => void end().catch(showError)}
      />
      <Button
        icon={PawPrint}
        busy={checkIn.isPending}
        className={styles.leave}
        onClick={() => void arrive().catch(showError)}
      >
        {t('checkIns.onMyWay.here')}
      </Button>
    </section>
  );
}
