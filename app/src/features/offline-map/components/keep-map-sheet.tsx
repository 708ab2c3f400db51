// Keeps surroundings of the site's own map on this device: how much it is, how far it got, and how to be rid of it.
import { Download, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { mapDrawer, NotKeptError } from '#/map/vector/drawer.ts';
import { keepSurroundings, measureSurroundings } from '#/map/vector/kept-surroundings.ts';
import {
  deleteKeptMap,
  readKeptMap,
  writeKeptMap,
  type Area,
  type KeptMap,
} from '#/offline/kept-map.ts';
import { MOST_KEPT_MAP_BYTES } from '#/offline/limits.ts';
import type { Config } from '#/platform/config-type.ts';
import { Button } from '#/ui/button.tsx';
import { Checkbox } from '#/ui/checkbox.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { showError, showToast } from '#/ui/toast.ts';
import styles from './keep-map-sheet.module.css';

interface KeepMapSheetProps {
  map: NonNullable<Config['map']>;
  /** The areas to save; the same array as long as nothing changes. Null while unknown. */
  areas: readonly Area[] | null;
  /** Only who is logged in can log out. */
  loggedIn: boolean;
  onClose: () => void;
}

/** undefined: being measured; null: more than the quota; 'network': it cannot be said now. */
type Measured = number | null | undefined | 'network';

export function KeepMapSheet({ map, areas, loggedIn, onClose }: KeepMapSheetProps) {
  const t = useT();
  const locale = useLocale();
  const [kept, setKept] = useState<KeptMap | null>(readKeptMap);
  const [leaves, setLeaves] = useState(kept?.leavesWithLogout ?? true);
  const [measured, setMeasured] = useState<Measured>();
  /** From 0 to 1; null while nothing is fetched. */
  const [done, setDone] = useState<number | null>(null);
  const [problem, setProblem] = useState<NotKeptError['why'] | null>(null);

  useEffect(() => {
    if (!areas) return undefined;
    let current = true;
    measureSurroundings(map, areas).then(
      (bytes) => current && setMeasured(bytes),
      () => current && setMeasured('network'),
    );
    return () => {
      current = false;
    };
  }, [map, areas]);

  // Words of our own: browsers write the unit of one language in three ways.
  const megabytes = (bytes: number) =>
    t('offlineMap.megabytes', {
      size: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(
        Math.max(0.1, bytes / 1e6),
      ),
    });
  const quota = megabytes(MOST_KEPT_MAP_BYTES);
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(done ?? 0);

  async function keep(): Promise<void> {
    if (!areas) return;
    setProblem(null);
    setDone(0);
    try {
      await keepSurroundings(map, areas, loggedIn && leaves, setDone);
      setKept(readKeptMap());
      showToast(t('offlineMap.done'));
    } catch (error) {
      const why = error instanceof NotKeptError ? error.why : 'network';
      if (why !== 'stopped') setProblem(why);
    } finally {
      setDone(null);
    }
  }

  async function remove(): Promise<void> {
    try {
      await deleteKeptMap();
    } catch (error) {
      showError(error);
    }
    setKept(readKeptMap());
  }

  function changeLeaves(next: boolean): void {
    setLeaves(next);
    const known = readKeptMap();
    if (known) writeKeptMap({ ...known, leavesWithLogout: next });
  }

  const close = (): void => {
    mapDrawer(map).stopKeeping();
    onClose();
  };

  return (
    <Sheet
      onClose={close}
      title={t('offlineMap.title')}
      size="small"
      footer={
        done === null ? (
          <>
            {kept && (
              <Button variant="danger" icon={Trash2} onClick={() => void remove()}>
                {t('offlineMap.delete')}
              </Button>
            )}
            <Button
              icon={Download}
              disabled={typeof measured !== 'number'}
              onClick={() => void keep()}
            >
              {t('offlineMap.keep')}
            </Button>
          </>
        ) : (
          <Button variant="secondary" onClick={() => mapDrawer(map).stopKeeping()}>
            {t('offlineMap.stop')}
          </Button>
        )
      }
    >
      <div className="grid-3">
        <p>{t('offlineMap.explain')}</p>
        {kept && (
          <p className={styles.kept}>
            {t('offlineMap.kept', {
              size: megabytes(kept.bytes),
              date: new Intl.DateTimeFormat(locale, DAY).format(kept.keptAt),
            })}
          </p>
        )}
        {done === null ? (
          <p role="status">
            {measured === undefined && <Skeleton width="12em" />}
            {measured === null && t('offlineMap.tooLarge', { quota })}
            {measured === 'network' && t('offlineMap.problem.network')}
            {typeof measured === 'number' &&
              t('offlineMap.size', { size: megabytes(measured), quota })}
          </p>
        ) : (
          <div className={styles.progress}>
            <progress value={done} max={1} aria-label={t('offlineMap.title')} />
            <span>{percent}</span>
          </div>
        )}
        {problem && problem !== 'stopped' && (
          <p className={styles.problem} role="alert">
            {t(`offlineMap.problem.${problem}`)}
          </p>
        )}
        {loggedIn && (
          <Checkbox label={t('offlineMap.leaves')} checked={leaves} onChange={changeLeaves} />
        )}
      </div>
    </Sheet>
  );
}
