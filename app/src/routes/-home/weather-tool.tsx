// The button over the map that shows the weather by the hour; the badge is hidden while no rain is expected.
import { CloudSun } from 'lucide-react';
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';

const WeatherOfPlace = lazyPart(() => import('#/routes/-weather-sheet.tsx'), PartMissing);

export default function WeatherTool({ place }: { place: LatLong }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        variant="raised"
        icon={CloudSun}
        label={t('weather.hours.title')}
        onClick={() => setOpen(true)}
      />
      {open && <WeatherOfPlace place={place} onClose={() => setOpen(false)} />}
    </>
  );
}
