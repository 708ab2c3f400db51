// 'Now, for Bamba': where to go with one's own dogs at this hour, made on the device; without a dog, for anybody.
import { PawPrint } from 'lucide-react';
import { useMoment } from '#/core/chosen-hour.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { useSession } from '#/data/session/session.ts';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { useParkCompany } from '#/features/park-pages/queries/park-company.ts';
import { nowWords } from '#/features/verdicts/now-words.ts';
import { LIST } from '#/i18n/list-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import type { Ranked } from '#/features/verdicts/ranking.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './now-line.module.css';

export interface Best extends Ranked {
  park: MapPark;
}

interface NowLineProps {
  best: Best | null;
  onSelect: (park: MapPark) => void;
}

export default function NowLine({ best, onSelect }: NowLineProps) {
  const t = useT();
  const locale = useLocale();
  const { userId } = useSession();
  const { isNow } = useMoment();
  const mine = useCompanions(userId);
  const counts = useParkLive().data;
  const id = best?.id ?? 0;
  const dogs = counts && isNow ? (counts[id]?.dogs_now ?? 0) : null;
  const company = useParkCompany(id, dogs ?? 0);
  const words =
    best &&
    nowWords(
      {
        ...best,
        park: best.park.name,
        dogs,
        company: [
          ...(company?.size ? [t(`parks.company.size.${company.size}`)] : []),
          ...(company?.energy ? [t(`parks.company.energy.${company.energy}`)] : []),
        ],
      },
      t,
      locale,
    );
  const names = (mine ?? []).map(({ name }) => name);
  return (
    <div className={styles.room} data-silent={best !== null && words === null}>
      {best && words !== null && (
        <button type="button" className={styles.line} onClick={() => onSelect(best.park)}>
          <Icon of={PawPrint} size={18} />
          <span>
            <strong>
              <bdi>
                {names.length > 0
                  ? new Intl.ListFormat(locale, LIST).format(names)
                  : t('home.now.anyone')}
              </bdi>
              :
            </strong>{' '}
            {words}
          </span>
        </button>
      )}
    </div>
  );
}
