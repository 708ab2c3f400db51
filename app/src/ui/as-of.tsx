// 'As of 14:32': shown beside data that is not live.
import { useLocale, useT } from '#/i18n/i18n.ts';
import { formatParkTime } from '#/core/park-time.ts';

/** @param moment null: the data is live, and nothing is shown */
export function AsOf({ moment }: { moment: Date | null }) {
  const t = useT();
  const locale = useLocale();
  return (
    moment && <p className="small-note">{t('ui.asOf', { time: formatParkTime(moment, locale) })}</p>
  );
}
