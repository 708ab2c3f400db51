// Reports a hazard or a condition at a park with one tap. Conditions are first, because they are more common.
import {
  Bug,
  CloudRain,
  Construction,
  Dog,
  DoorClosed,
  Droplet,
  DropletOff,
  Fence,
  Skull,
  Stethoscope,
  TriangleAlert,
  Wheat,
  WineOff,
  Worm,
} from 'lucide-react';
import { useReportCondition } from '#/features/live-reports/commands/report-condition.command.ts';
import {
  command as reportHazard,
  UNDO_MS,
  useReportHazard,
} from '#/features/live-reports/commands/report-hazard.command.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import type { LucideIcon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showProblem, showSuccess, showToast } from '#/ui/toast.ts';
import styles from './live-report-sheet.module.css';
import {
  PARK_CONDITIONS,
  PARK_HAZARDS,
  type ParkCondition,
  type ParkHazard,
} from '../../../../../shared/enums.ts';

const CONDITION_ICONS: Readonly<Record<ParkCondition, LucideIcon>> = {
  muddy: CloudRain,
  gateClosed: DoorClosed,
  underConstruction: Construction,
  brokenFountain: DropletOff,
};

/** Hazards without an icon here show a warning sign. */
const HAZARD_ICONS: Readonly<Partial<Record<ParkHazard, LucideIcon>>> = {
  poison: Skull,
  glass: WineOff,
  looseDog: Dog,
  caterpillars: Worm,
  ticks: Bug,
  awns: Wheat,
  brokenFence: Fence,
  noWater: Droplet,
  kennelCough: Stethoscope,
  stomachBug: Stethoscope,
  parvovirus: Stethoscope,
};

interface LiveReportSheetProps {
  parkId: number;
  onClose: () => void;
}

export default function LiveReportSheet({ parkId, onClose }: LiveReportSheetProps) {
  const t = useT();
  const condition = useReportCondition();
  const hazard = useReportHazard();
  const isPending = condition.isPending || hazard.isPending;
  const handlers = {
    onSuccess: (outcome: unknown) => {
      onClose();
      if (outcome !== 'queued') showSuccess(t('liveReports.thanks'));
    },
    onError: () => showProblem(t('liveReports.rejected.report')),
  };
  const undo = async () => {
    const { commandQueue } = await import('#/offline/command-queue/queue.ts');
    if (!(await commandQueue.undo(reportHazard.name))) showProblem(t('errors.too_late_to_undo'));
  };
  const offerUndo = () => {
    onClose();
    showToast(t('liveReports.thanks'), {
      type: 'success',
      action: { label: t('ui.undo'), onSelect: () => void undo() },
      lasts: UNDO_MS,
      expires: true,
    });
  };
  return (
    <Sheet onClose={onClose} title={t('liveReports.sheet.title')} size="small">
      <div className="grid-5">
        <section className="grid-3" aria-labelledby="report-conditions">
          <h3 id="report-conditions">{t('liveReports.sheet.conditions')}</h3>
          <div className={styles.choices}>
            {PARK_CONDITIONS.map((type) => (
              <Button
                key={type}
                variant="secondary"
                wide
                icon={CONDITION_ICONS[type]}
                busy={condition.isPending && condition.variables.condition === type}
                onClick={() => {
                  if (!isPending) condition.mutate({ parkId, condition: type }, handlers);
                }}
              >
                {t(`liveReports.condition.${type}`)}
              </Button>
            ))}
          </div>
        </section>
        <section className="grid-3" aria-labelledby="report-hazards">
          <h3 id="report-hazards">{t('liveReports.sheet.hazards')}</h3>
          <p className="note">{t('liveReports.sheet.hazardsNote')}</p>
          <div className={styles.choices}>
            {PARK_HAZARDS.map((type) => (
              <Button
                key={type}
                variant="secondary"
                wide
                icon={HAZARD_ICONS[type] ?? TriangleAlert}
                busy={hazard.isPending && hazard.variables.hazard === type}
                onClick={() => {
                  if (!isPending)
                    hazard.mutate({ parkId, hazard: type }, { ...handlers, onSuccess: offerUndo });
                }}
              >
                {t(`liveReports.hazard.${type}`)}
              </Button>
            ))}
          </div>
        </section>
      </div>
    </Sheet>
  );
}
