// The small paw clock above the map: the selected hour and its temperature; a tap opens the large clock.
import { useState } from 'react';
import { useShownTime } from '#/core/shown-time.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { formatHour, formatParkTime, parkClock } from '../../../../shared/park-time.ts';
import { useWeather } from '#/features/weather/queries/weather.ts';
import { readingsFrom } from '../../../../shared/verdict/forecast.ts';
import { formatDegrees } from '#/features/weather/weather-formats.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import { factsOf } from '#/entities/parks/park-list-file.ts';
import { PartMissing } from '#/ui/part-missing.tsx';
import styles from './clock-tool.module.css';

const PawClock = lazyPart(() => import('#/screens/shared/paw-clock.tsx'), PartMissing);

/** @param park the park whose hours are shown */
export default function ClockTool({ park }: { park: MapPark }) {
  const t = useT();
  const locale = useLocale();
  /** Another park may rank first at another hour, so the open clock keeps the park for which it was opened. */
  const [open, setOpen] = useState<MapPark | null>(null);
  const { timestamp, isNow } = useShownTime();
  const forecast = useWeather(park.location);
  const { minute } = parkClock(new Date(timestamp));
  const time = isNow
    ? formatParkTime(new Date(timestamp), locale)
    : formatHour(minute / 60, locale);
  const reading = forecast && readingsFrom(forecast, new Date(timestamp))[0];
  return (
    <>
      <button
        type="button"
        className={styles.clock}
        data-chosen={!isNow}
        onClick={() => setOpen(park)}
      >
        <svg viewBox="-24 -24 48 48" aria-hidden>
          <circle r="22" />
          {/* Points at the middle of a chosen hour. On the ring, because further inside it would cover the time. */}
          <path d="M21.5 0H22.5" transform={`rotate(${(isNow ? minute : minute + 30) / 4 + 90})`} />
        </svg>
        <strong>{time} </strong>
        {reading && <span>{formatDegrees(reading.temperature)} </span>}
        <span className="visually-hidden">{t('weather.hours.title')}</span>
      </button>
      {open && (
        <PawClock park={{ ...open, facts: factsOf(open.known) }} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
