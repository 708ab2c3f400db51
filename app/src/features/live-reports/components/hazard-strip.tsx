// The hazards at the top of a park's page with their type and certainty, and buttons to confirm or end them.
import { Camera, CheckCheck, Landmark, Phone, ShieldCheck, TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useUploadHazardPhoto } from '#/features/live-reports/commands/hazard-photo.command.ts';
import { useInformCity } from '#/features/live-reports/commands/inform-city.command.ts';
import { reportedWhen } from '#/features/live-reports/reported-when.ts';
import { ReportButtons } from '#/features/live-reports/components/report-buttons.tsx';
import {
  type ReportGate,
  useReportResponses,
  useReportGate,
} from '#/features/live-reports/use-report-responses.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { type HazardReport } from '#/entities/parks/hazards.ts';
import { isHazard } from '../../../../../shared/verdict/hazards.ts';
import { pickPhoto } from '#/entities/photos/pick-photo.ts';
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { getConfig } from '#/platform/config.ts';
import { Button, ButtonAnchor } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { PhotoInput } from '#/ui/photo-input.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import { showError, showSuccess } from '#/ui/toast.ts';
import styles from './hazard-strip.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-sizes.ts';

interface HazardStripProps extends ReportGate {
  parkId: number;
  hazards: readonly HazardReport[];
  /** Actions for the enlarged photo. Its contributor can remove it, and other users can report it. */
  photoActions: (path: string, onRemoved: () => void) => ReactNode;
}

export function HazardStrip({ hazards, ...others }: HazardStripProps) {
  const t = useT();
  const known = hazards.filter(({ cleared_at }) => cleared_at === null);
  useAnnounce(
    known
      .flatMap(({ hazard }) => (isHazard(hazard) ? t(`liveReports.hazard.${hazard}`) : []))
      .join(', ') || t('liveReports.none'),
  );
  return (
    <ul className={styles.strip} aria-label={t('liveReports.hazards.title')}>
      {hazards.map((item) => (
        <HazardItem key={item.id} item={item} {...others} />
      ))}
    </ul>
  );
}

interface HazardItemProps extends Omit<HazardStripProps, 'hazards'> {
  item: HazardReport;
}

function HazardItem({ parkId, item, photoActions, ...gated }: HazardItemProps) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(30_000);
  const gate = useReportGate(gated);
  const responses = useReportResponses(parkId, gate);
  const city = useInformCity();
  const upload = useUploadHazardPhoto();
  const input = useRef<HTMLInputElement>(null);
  /** Path of the enlarged photo. */
  const [large, setLarge] = useState<string | null>(null);
  const closeLarge = () => setLarge(null);
  if (!isHazard(item.hazard)) return null;
  const name = t(`liveReports.hazard.${item.hazard}`);
  if (item.cleared_at !== null)
    return (
      <li className={styles.item} data-state="cleared">
        <Icon of={ShieldCheck} className={styles.icon} />
        <span className={styles.text}>
          <strong>{t('liveReports.hazards.cleared', { hazard: name })}</strong>
          <span className="note">{timeAgo(item.cleared_at, now, locale)}</span>
        </span>
      </li>
    );
  const sendPhoto = (file: File) =>
    upload.mutate(
      { reportId: item.id, parkId, file },
      {
        onSuccess: (outcome) => {
          if (outcome !== 'queued') showSuccess(t('photos.pendingNote'));
        },
        onError: showError,
      },
    );
  const tellCity = () =>
    city.mutate(
      { reportId: item.id, parkId },
      {
        onSuccess: (outcome) => {
          if (outcome !== 'queued') showSuccess(t('ui.thanksUpdate'));
        },
        onError: showError,
      },
    );
  return (
    <li className={styles.item} data-state={item.verified ? 'verified' : 'reported'}>
      <Icon of={TriangleAlert} className={styles.icon} />
      <span className={styles.text}>
        <strong>{name}</strong>
        <span className="note">
          {reportedWhen(item.reported_at, now, locale, t)}
          {' · '}
          {item.verified
            ? t('liveReports.confirmed', { count: item.confirmations })
            : t('liveReports.hazards.unverified')}
          {item.in_hand_by !== null
            ? ` · ${t('liveReports.hazards.inHand', { town: item.in_hand_by })}`
            : item.city_informed_at !== null && ` · ${t('liveReports.hazards.cityInformed')}`}
        </span>
      </span>
      {item.hazard === 'poison' && <PoisonHelp />}
      {item.photos.length > 0 && (
        <span className={styles.photos}>
          {item.photos.map((path) => (
            <button key={path} type="button" onClick={() => setLarge(path)}>
              <img
                src={photoUrl('parks', path, PHOTO_WIDTH.thumb)}
                alt={t('liveReports.hazards.photo', { hazard: name })}
                loading="lazy"
              />
            </button>
          ))}
        </span>
      )}
      {large !== null && (
        <Sheet
          onClose={closeLarge}
          title={t('liveReports.hazards.photo', { hazard: name })}
          size="large"
          footer={photoActions(large, closeLarge)}
        >
          <img
            src={photoUrl('parks', large, PHOTO_WIDTH.full)}
            alt={t('liveReports.hazards.photo', { hazard: name })}
            className={styles.large}
          />
        </Sheet>
      )}
      <span className={styles.responses}>
        <ReportButtons
          report={item}
          name={name}
          responses={responses}
          end={{ icon: CheckCheck, variant: 'secondary', label: t('liveReports.hazards.clear') }}
        />
        {item.mine && (
          <Button
            variant="quiet"
            icon={Camera}
            busy={upload.isPending}
            onClick={() => gate(() => pickPhoto('ask', input.current, sendPhoto))}
          >
            {t('ui.photo.add')}
          </Button>
        )}
        {item.city_informed_at === null && item.in_hand_by === null && (
          <Button
            variant="quiet"
            icon={Landmark}
            busy={city.isPending}
            onClick={() => gate(tellCity)}
          >
            {t('liveReports.hazards.informCity')}
          </Button>
        )}
      </span>
      <PhotoInput ref={input} label={t('ui.photo.add')} onPhoto={sendPhoto} />
    </li>
  );
}

const CALLED = ['poison', 'city', 'police'] as const;

/** First aid for poisoned dogs, and emergency phone numbers. */
function PoisonHelp() {
  const t = useT();
  const phones = getConfig().emergencyPhones ?? {};
  return (
    <div className={styles.help}>
      <p>{t('liveReports.poison.leave')}</p>
      <p>{t('liveReports.poison.eaten')}</p>
      <span className={styles.responses}>
        {CALLED.map((who) => {
          const number = phones[who];
          return (
            number !== undefined && (
              <ButtonAnchor key={who} variant="secondary" icon={Phone} href={`tel:${number}`}>
                {t(`liveReports.poison.${who}`)} <bdi dir="ltr">{number}</bdi>
              </ButtonAnchor>
            )
          );
        })}
      </span>
    </div>
  );
}
