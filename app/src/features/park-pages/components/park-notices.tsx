// The municipality's current and upcoming notices about its park.
import { Landmark } from 'lucide-react';
import { formatParkTime, parkTimeZone } from '../../../../../shared/park-time.ts';
import { useNow } from '#/core/use-now.ts';
import type { ParkNotice } from '#/entities/parks/conditions.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Card } from '#/ui/card.tsx';
import { Icon } from '#/ui/icon.tsx';

export default function ParkNotices({ notices }: { notices: readonly ParkNotice[] }) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(60_000);
  const days = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    timeZone: parkTimeZone(),
  });
  const formatDate = (moment: Date) =>
    t('parkInvites.meetings.when', {
      day: days.format(moment),
      time: formatParkTime(moment, locale),
    });
  return (
    <ul className="column-2" aria-label={t('parks.notices.title')}>
      {notices.map(({ id, type, text, town, ...span }) => {
        const [from, until] = [new Date(span.starts_at), new Date(span.ends_at)];
        return (
          <Card as="li" key={id}>
            <p className="wrap-2">
              <Icon of={Landmark} />
              <strong>
                {t(
                  type === 'closed' || type === 'sprayed'
                    ? `liveReports.condition.${type}`
                    : `parks.notices.${type}`,
                )}
              </strong>{' '}
              {from.getTime() <= now
                ? t('parks.notices.until', { time: formatDate(until) })
                : `${formatDate(from)} – ${formatDate(until)}`}
            </p>
            {text !== '' && <p dir="auto">{text}</p>}
            <p className="note">{t('parks.notices.by', { town })}</p>
          </Card>
        );
      })}
    </ul>
  );
}
