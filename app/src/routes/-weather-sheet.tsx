// The weather of the day by the hour, put together from the forecast and the ground of a park; loaded when it is asked for.
import {
  groundLevel,
  groundTemperature,
  parkGround,
  UNCERTAINTY,
} from '#/features/verdicts/ground-temperature.ts';
import { WeatherSheet } from '#/features/weather/components/weather-sheet.tsx';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { groundsOf } from '#/data/parks/park-facts.ts';

interface WeatherOfPlaceProps {
  place: LatLong;
  /** Whose ground it is, as far as that is known; else it is the asphalt of the streets. */
  park?: { materials: readonly string[] | null; shade: number | null };
  onClose: () => void;
}

export default function WeatherOfPlace({ place, park, onClose }: WeatherOfPlaceProps) {
  const t = useT();
  const grounds = groundsOf(park?.materials);
  const isPark = grounds.length > 0;
  return (
    <WeatherSheet
      place={place}
      ground={{
        label: t(isPark ? 'weather.hours.ground' : 'parks.ground.ASPHALT'),
        at: (sun) => {
          const degrees = isPark
            ? parkGround(grounds, sun, park?.shade ?? null)
            : groundTemperature('ASPHALT', sun, false);
          if (degrees === null) return null;
          const level = groundLevel(degrees);
          return { degrees, words: level === 'fine' ? null : t(`parks.paws.${level}`) };
        },
        note: t('parks.paws.estimate', { degrees: UNCERTAINTY }),
      }}
      onClose={onClose}
    />
  );
}
