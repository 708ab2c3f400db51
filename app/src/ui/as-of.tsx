// 'As of 14:32', shown with data that is not live.
import { useLocale, useT } from '#/i18n/i18n.ts';
import { formatParkTime } from '../../../shared/park-time.ts';

/** @param moment null if the data is live; then nothing is rendered */
export function AsOf({ moment }: { moment: Date | null }) {
  const t = useT();
  const locale = useLocale();
  return (
    moment && <p className="small-note">{t('ui.asOf', { time: formatParkTime(moment, locale) })}</p>
  );
}
