// What people report about a park now: confirm it, say it is over, or report something new.
import {
  Check,
  CloudRain,
  Construction,
  DoorClosed,
  DropletOff,
  Megaphone,
  TriangleAlert,
  X,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useConfirmCondition } from '#/features/live-reports/commands/confirm-condition.command.ts';
import { useEndCondition } from '#/features/live-reports/commands/end-condition.command.ts';
import { useReportCondition } from '#/features/live-reports/commands/report-condition.command.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { CONDITIONS, type Condition } from '#/data/conditions.ts';
import { errorText } from '#/i18n/errors.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showToast } from '#/ui/toast.ts';
import type { LoginGate } from '#/data/session/use-login-gate.tsx';
import styles from './park-conditions.module.css';

const ICONS: Readonly<Record<Condition, LucideIcon>> = {
  muddy: CloudRain,
  gateClosed: DoorClosed,
  underConstruction: Construction,
  brokenFountain: DropletOff,
};

export interface ShownCondition {
  id: string;
  condition: Condition;
  reported_at: string;
  confirmed_at: string | null;
  confirmations: number;
  mine: boolean;
}

interface ParkConditionsProps {
  parkId: number;
  /** Undefined where they could not be had. */
  conditions: readonly ShownCondition[] | undefined;
  guard: LoginGate['guard'];
  /** Asks for the terms before the first post. */
  beforePost: () => Promise<boolean>;
}

export function ParkConditions({ parkId, conditions, guard, beforePost }: ParkConditionsProps) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const now = useNow(30_000);
  const report = useReportCondition();
  const confirm = useConfirmCondition();
  const end = useEndCondition();
  const isPending = report.isPending || confirm.isPending || end.isPending;
  const [choosing, setChoosing] = useState(false);
  const again = useRef<HTMLButtonElement>(null);
  // A new row pushes the button down, under the navbar where the page is not scrolled: the focus stays in view.
  useEffect(() => {
    if (document.activeElement === again.current)
      again.current?.scrollIntoView({ block: 'nearest' });
  }, [conditions?.length, choosing]);

  const told = (kind: 'report' | 'confirm' | 'end') => ({
    onSuccess: (outcome: unknown) => {
      setChoosing(false);
      if (outcome === 'queued') return;
      showToast(t(kind === 'report' ? 'liveReports.thanks' : 'liveReports.thanksUpdate'), {
        kind: 'success',
      });
    },
    onError: () => {
      showToast(t(`liveReports.rejected.${kind}`), { kind: 'error' });
    },
  });
  const gate = (action: () => void) => {
    guard(t('liveReports.gate'), () => {
      void beforePost().then(
        (agreed) => {
          if (agreed) action();
        },
        (error: unknown) => {
          showToast(errorText(error), { kind: 'error' });
        },
      );
    });
  };
  const sending = (reportId: string) =>
    [confirm, end].some((answer) => answer.isPending && answer.variables.reportId === reportId);

  return (
    <Card as="section" aria-labelledby="conditions" className={styles.card}>
      <h2 id="conditions">{t('liveReports.title')}</h2>
      {!conditions?.length ? (
        <p className={styles.none}>{t(conditions ? 'liveReports.none' : 'liveReports.unknown')}</p>
      ) : (
        <ul className={styles.list} aria-live="polite">
          {conditions.map((item) => (
            <li key={item.id} className={styles.item}>
              <Icon of={TriangleAlert} className={styles.icon} />
              <span className={styles.words}>
                <strong>{t(`liveReports.condition.${item.condition}`)}</strong>
                <span className={styles.when}>
                  {t('liveReports.reported', { ago: timeAgo(item.reported_at, now, locale) })}
                  {item.confirmations > 0 &&
                    ` · ${t('liveReports.confirmed', { count: item.confirmations })}`}
                </span>
              </span>
              <span className={styles.answers}>
                {!item.mine && (
                  <Button
                    variant="secondary"
                    icon={Check}
                    busy={sending(item.id)}
                    onClick={() => {
                      gate(() => {
                        if (!isPending)
                          confirm.mutate({ reportId: item.id, parkId }, told('confirm'));
                      });
                    }}
                  >
                    {t('liveReports.confirm')}
                  </Button>
                )}
                <Button
                  variant="quiet"
                  icon={X}
                  busy={sending(item.id)}
                  onClick={() => {
                    gate(() => {
                      if (!isPending) end.mutate({ reportId: item.id, parkId }, told('end'));
                    });
                  }}
                >
                  {t('liveReports.over')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <Button
        ref={again}
        variant="secondary"
        icon={Megaphone}
        onClick={() => {
          gate(() => {
            setChoosing(true);
          });
        }}
      >
        {t('liveReports.report')}
      </Button>
      <Sheet
        open={choosing}
        onClose={() => {
          setChoosing(false);
        }}
        title={t('liveReports.sheet.title')}
        size="small"
      >
        <div className={styles.choices}>
          {CONDITIONS.map((condition) => (
            <Button
              key={condition}
              variant="secondary"
              wide
              icon={ICONS[condition]}
              busy={report.isPending && report.variables.condition === condition}
              onClick={() => {
                if (!isPending) report.mutate({ parkId, condition }, told('report'));
              }}
            >
              {t(`liveReports.condition.${condition}`)}
            </Button>
          ))}
        </div>
      </Sheet>
    </Card>
  );
}
