// The hazards of a park as chips on its card. Verified ones are first.
import { TriangleAlert } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import type { KnownHazard } from '../../../../../shared/verdict/hazards.ts';
import { Chip } from '#/ui/chip.tsx';

export function HazardChips({ hazards }: { hazards: readonly KnownHazard[] }) {
  const t = useT();
  return [...hazards]
    .sort((a, b) => Number(b.verified) - Number(a.verified))
    .map(({ type, verified }) => (
      <Chip key={type} tone={verified ? 'alert' : 'sand'} icon={TriangleAlert}>
        {verified
          ? t(`liveReports.hazard.${type}`)
          : t('liveReports.hazards.maybe', { hazard: t(`liveReports.hazard.${type}`) })}
      </Chip>
    ));
}
