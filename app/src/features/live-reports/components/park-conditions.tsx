// The current conditions at a park, as reported by users. Users can confirm, end and report conditions.
import { Megaphone, TriangleAlert, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { reportedWhen } from '#/features/live-reports/reported-when.ts';
import { ReportButtons } from '#/features/live-reports/components/report-buttons.tsx';
import {
  type ReportGate,
  useReportResponses,
  useReportGate,
} from '#/features/live-reports/use-report-responses.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import type { ConditionReport } from '#/entities/parks/conditions.ts';
import { useSession } from '#/data/session/session.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { useNow } from '#/core/use-now.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { Icon } from '#/ui/icon.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import styles from './park-conditions.module.css';

const LiveReportSheet = lazyPart(
  () => import('#/features/live-reports/components/live-report-sheet.tsx'),
  PartMissing,
);

interface ParkConditionsProps extends ReportGate {
  parkId: number;
  /** Undefined if loading failed. */
  conditions: readonly ConditionReport[] | undefined;
  /** True if the page shows a current hazard. */
  hazardous: boolean;
}

export function ParkConditions({ parkId, conditions, hazardous, ...gated }: ParkConditionsProps) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(30_000);
  const gate = useReportGate(gated);
  const responses = useReportResponses(parkId, gate);
  const { status } = useSession();
  const [choosing, setChoosing] = useNamedOverlay<'terms' | 'type'>('report');
  const askTerms = useEffectEvent(() => {
    setChoosing(null);
    gate(() => setChoosing('type'));
  });
  const isWanted = choosing === 'terms' && status === 'in';
  useEffect(() => {
    if (isWanted) askTerms();
  }, [isWanted]);
  const again = useRef<HTMLButtonElement>(null);
  useAnnounce(
    conditions
      ? conditions.map(({ condition }) => t(`liveReports.condition.${condition}`)).join(', ') ||
          t('liveReports.none')
      : null,
  );
  // A new row moves the focused button down, possibly below the navbar, so scroll the button into view.
  useEffect(() => {
    if (document.activeElement === again.current)
      again.current?.scrollIntoView({ block: 'nearest' });
  }, [conditions?.length, choosing]);

  return (
    <Card as="section" aria-labelledby="conditions" className={styles.card}>
      <h2 id="conditions">{t('liveReports.title')}</h2>
      {!conditions?.length ? (
        <p className="note">
          {!conditions
            ? t('liveReports.unknown')
            : t(hazardous ? 'liveReports.noneElse' : 'liveReports.none')}
        </p>
      ) : (
        <ul className={styles.list}>
          {conditions.map((item) => (
            <li key={item.id} className={styles.item}>
              <Icon of={TriangleAlert} className={styles.icon} />
              <span className={styles.text}>
                <strong>{t(`liveReports.condition.${item.condition}`)}</strong>
                <span className="note">
                  {reportedWhen(item.reported_at, now, locale, t)}
                  {item.confirmations > 0 &&
                    ` · ${t('liveReports.confirmed', { count: item.confirmations })}`}
                </span>
              </span>
              <span className={styles.responses}>
                <ReportButtons
                  report={item}
                  name={t(`liveReports.condition.${item.condition}`)}
                  responses={responses}
                  end={{ icon: X, variant: 'quiet', label: t('liveReports.over') }}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Button
        ref={again}
        variant="secondary"
        icon={Megaphone}
        onClick={() => gate(() => setChoosing('type'), { report: 'terms' })}
      >
        {t('liveReports.report')}
      </Button>
      {choosing === 'type' && status === 'in' && (
        <LiveReportSheet parkId={parkId} onClose={() => setChoosing(null)} />
      )}
    </Card>
  );
}
