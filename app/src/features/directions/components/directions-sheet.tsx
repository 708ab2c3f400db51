// Directions from the park's page, in a navigation app or on the map.
import { MapPinned } from 'lucide-react';
import { NavigationAppLinks } from '#/features/directions/components/navigation-app-links.tsx';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { Sheet } from '#/ui/sheet.tsx';

interface DirectionsSheetProps {
  to: LatLong;
  /** The park's street address, as entered by users. */
  place: string;
  onClose: () => void;
}

export default function DirectionsSheet({ to, place, onClose }: DirectionsSheetProps) {
  const t = useT();
  return (
    <Sheet onClose={onClose} title={t('directions.button')} size="small">
      <div className="grid-3">
        <p className="soft">
          <bdi>{place}</bdi>
        </p>
        <NavigationAppLinks to={to} />
        <ButtonLink
          to="/"
          search={{ lat: to.lat, long: to.long }}
          variant="quiet"
          icon={MapPinned}
          wide
        >
          {t('ui.onMap')}
        </ButtonLink>
      </div>
    </Sheet>
  );
}
