// A park's paw clock in a sheet: weather by the hour, ground, shade and usual dogs. Its hour applies to the whole app.
import { PawPrint, RotateCcw, Thermometer, TreeDeciduous, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { afterPaint } from '#/core/after-paint.ts';
import { chooseHour, useShownTime } from '#/core/shown-time.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { travelMinutes } from '#/core/travel-time.ts';
import { formatHour, formatParkTime } from '../../../../shared/park-time.ts';
import { sunPhase } from '#/core/sun.ts';
import { useNow } from '#/core/use-now.ts';
import { useBusyHours } from '#/entities/parks/park-card.ts';
import { readDogStates } from '#/entities/dogs/dog-states.ts';
import type { ParkFacts } from '../../../../shared/park-facts.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { factValue } from '#/features/park-facts/fact-labels.ts';
import { PawClock } from '#/features/verdicts/components/paw-clock.tsx';
import { VerdictLine } from '#/features/verdicts/components/verdict-line.tsx';
import { clockHours, windowsOf } from '#/features/verdicts/clock-hours.ts';
import { formatSpan, isWholeDay } from '#/features/verdicts/format-hours.ts';
import { liveAt } from '../../../../shared/verdict/live-counts.ts';
import {
  BURNING,
  groundLevel,
  UNCERTAINTY,
} from '../../../../shared/verdict/ground-temperature.ts';
import { WeatherCredit } from '#/features/weather/components/weather-credit.tsx';
import { hoursAhead } from '../../../../shared/verdict/forecast.ts';
import { useWeather } from '#/features/weather/queries/weather.ts';
import { formatDegrees, formatPercent } from '#/features/weather/weather-formats.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { useStart } from '#/platform/here.ts';
import { Button } from '#/ui/button.tsx';
import { FACT_ICONS } from '#/entities/parks/fact-icons.ts';
import { Icon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './paw-clock.module.css';

/** The rings, from outside in. */
const KEY = ['good', 'ground', 'shade', 'dogs'] as const;

interface PawClockSheetProps {
  /** The park whose forecast is shown; without known ground, the temperature of asphalt is shown. */
  park: { id: number; name: string; location: LatLong; facts: ParkFacts };
  onClose: () => void;
}

export default function PawClockSheet({ park, onClose }: PawClockSheetProps) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(60_000);
  const { timestamp } = useShownTime();
  const counts = useParkLive().data;
  const forecast = useWeather(park.location);
  const busyHours = useBusyHours(park.id).data;
  const start = useStart();
  const travel = start ? travelMinutes(distanceBetween(start, park.location)) : 0;
  const hours = clockHours(
    {
      moment: now,
      travel,
      own: readDogStates(),
      live: liveAt(counts, park.id),
      hazards: counts?.[park.id]?.hazards ?? [],
      facts: park.facts,
      place: park.location,
      busyHours,
    },
    (from) => hoursAhead(forecast, from),
  );
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      hours.findIndex((each) => each.moment === timestamp),
    ),
  );
  const shown = hours[at];
  if (!shown) return null;

  function choose(next: number): void {
    setAt(next);
    const startsAt = next === 0 ? null : (hours[next]?.moment ?? null);
    // Let the browser paint the moved hand first; the map behind the sheet follows.
    void afterPaint().then(() => chooseHour(startsAt));
  }

  const clock = (hour: number) => formatHour(hour % 24, locale);
  const time = at === 0 ? formatParkTime(new Date(now), locale) : clock(shown.hour);
  const isTomorrow = hours.slice(0, at + 1).some(({ hour }, index) => hour === 0 && index > 0);
  const hourLabel = isTomorrow ? t('parks.clock.tomorrow', { hour: time }) : time;
  const { ground, asphalt, weather, light, dogs } = shown;
  const { lit } = park.facts.facts;
  const paws = (surface: 'weather.hours.ground' | 'parks.ground.ASPHALT', degrees: number | null) =>
    degrees !== null && {
      icon: PawPrint,
      text: `${t('parks.paws.surface', { surface: t(surface), degrees: Math.round(degrees) })} · ${t(`parks.paws.${groundLevel(degrees)}`)}`,
    };
  const facts = [
    weather && {
      icon: Thermometer,
      text: `${formatDegrees(weather.temperature)} · ${t('weather.rain', { chance: formatPercent(weather.rain) })}`,
    },
    paws('weather.hours.ground', ground),
    paws('parks.ground.ASPHALT', asphalt),
    (light === 'sun' || light === 'shade') && {
      icon: TreeDeciduous,
      text: t(light === 'shade' ? 'parks.goNow.reason.shaded' : 'parks.goNow.reason.sunny'),
    },
    sunPhase(new Date(shown.moment), park.location) === 'night' && {
      icon: FACT_ICONS.lit,
      text: t('parks.filter.chip.fact', {
        fact: t('parks.fact.lit'),
        value: lit ? factValue('lit', lit, t, locale) : t('weather.unknown'),
      }),
    },
    dogs !== null && {
      icon: UsersRound,
      text: t('parks.busyHours.dogs', { count: Math.round(dogs) }),
    },
  ].filter((each) => each !== false && each !== null);
  const hasGood = hours.some(({ isGood }) => isGood);
  const windows = windowsOf(hours, ({ isGood, isFair }) => (hasGood ? isGood : isFair)).map(
    (window) => formatSpan(window, t, locale),
  );
  const [burning] = windowsOf(hours, (each) => (each.asphalt ?? 0) >= BURNING);
  return (
    <Sheet onClose={onClose} title={t('weather.hours.title')}>
      <div className="grid-3">
        <p className="soft">
          <bdi>{park.name}</bdi>
        </p>
        <PawClock
          hours={hours}
          at={at}
          onChange={choose}
          label={t('weather.hours.hour')}
          text={[hourLabel, ...facts.map(({ text }) => text)].join(', ')}
          names={[0, 6, 12, 18].map(clock)}
        >
          <strong className={styles.hour}>{time}</strong>
          {weather && <span>{formatDegrees(weather.temperature)}</span>}
        </PawClock>
        <ul className={styles.key} aria-hidden>
          {KEY.map((ring) => (
            <li key={ring} data-ring={ring}>
              {t(`parks.clock.key.${ring}`)}
            </li>
          ))}
        </ul>
        <div className={styles.reading} aria-hidden>
          <strong>{hourLabel}</strong>
          {shown.verdict && <VerdictLine verdict={shown.verdict} />}
        </div>
        <ul className={styles.facts}>
          {facts.map(({ icon, text }) => (
            <li key={text}>
              <Icon of={icon} size={18} />
              {text}
            </li>
          ))}
        </ul>
        <div className={styles.windows}>
          <strong id="windows">
            {t(
              hasGood
                ? 'parks.clock.windows'
                : windows.length > 0
                  ? 'parks.clock.fairWindows'
                  : 'parks.clock.noWindows',
            )}
          </strong>
          <ul aria-labelledby="windows">
            {windows.map((window) => (
              <li key={window}>{window}</li>
            ))}
          </ul>
        </div>
        {burning && (
          <p>
            {isWholeDay(burning)
              ? t('parks.paws.burningAllDay')
              : t('parks.paws.burningHours', { hours: formatSpan(burning, t, locale) })}
          </p>
        )}
        {at > 0 && (
          <Button variant="secondary" icon={RotateCcw} onClick={() => choose(0)}>
            {t('parks.clock.now')}
          </Button>
        )}
        <p className="small-note">
          {t(forecast ? 'parks.paws.estimate' : 'weather.hours.none', { degrees: UNCERTAINTY })}
        </p>
        {forecast && <WeatherCredit />}
      </div>
    </Sheet>
  );
}
