// Saves areas of the site's map on this device, with their size and the progress, and deletes them.
import { Download, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { mapRenderer, NotSavedError } from '#/map/vector/renderer.ts';
import { saveSurroundings, measureSurroundings } from '#/map/vector/offline-surroundings.ts';
import {
  deleteOfflineMap,
  readOfflineMap,
  writeOfflineMap,
  type Area,
  type OfflineMap,
} from '#/map/vector/offline-map.ts';
import { MAX_OFFLINE_MAP_BYTES } from '#/offline/cache-limits.ts';
import type { Config } from '#/platform/config-type.ts';
import { Button } from '#/ui/button.tsx';
import { Checkbox } from '#/ui/checkbox.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { showError, showToast } from '#/ui/toast.ts';
import styles from './offline-map-sheet.module.css';

interface OfflineMapSheetProps {
  map: NonNullable<Config['map']>;
  /** The areas to save; null while loading. Must be referentially stable. */
  areas: readonly Area[] | null;
  /** True if the sheet offers to delete the map on logout. */
  loggedIn: boolean;
  onClose: () => void;
}

/** Undefined while measuring; null if the size exceeds the quota; 'network' if the device is offline. */
type Measured = number | null | undefined | 'network';

export function OfflineMapSheet({ map, areas, loggedIn, onClose }: OfflineMapSheetProps) {
  const t = useT();
  const locale = useLocale();
  const [saved, setSaved] = useState<OfflineMap | null>(readOfflineMap);
  const [leaves, setLeaves] = useState(saved?.leavesWithLogout ?? true);
  const [measured, setMeasured] = useState<Measured>();
  /** Progress of the download from 0 to 1; null if none is running. */
  const [done, setDone] = useState<number | null>(null);
  const [problem, setProblem] = useState<NotSavedError['why'] | null>(null);

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

  // The unit is a translated text, because browsers format it differently.
  const megabytes = (bytes: number) =>
    t('offlineMap.megabytes', {
      size: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(
        Math.max(0.1, bytes / 1e6),
      ),
    });
  const quota = megabytes(MAX_OFFLINE_MAP_BYTES);
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(done ?? 0);

  async function save(): Promise<void> {
    if (!areas) return;
    setProblem(null);
    setDone(0);
    try {
      await saveSurroundings(map, areas, loggedIn && leaves, setDone);
      setSaved(readOfflineMap());
      showToast(t('offlineMap.done'));
    } catch (error) {
      const why = error instanceof NotSavedError ? error.why : 'network';
      if (why !== 'stopped') setProblem(why);
    } finally {
      setDone(null);
    }
  }

  async function remove(): Promise<void> {
    try {
      await deleteOfflineMap();
    } catch (error) {
      showError(error);
    }
    setSaved(readOfflineMap());
  }

  function changeLeaves(next: boolean): void {
    setLeaves(next);
    const known = readOfflineMap();
    if (known) writeOfflineMap({ ...known, leavesWithLogout: next });
  }

  const close = (): void => {
    mapRenderer(map).stopSaving();
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
            {saved && (
              <Button variant="danger" icon={Trash2} onClick={() => void remove()}>
                {t('offlineMap.delete')}
              </Button>
            )}
            <Button
              icon={Download}
              disabled={typeof measured !== 'number'}
              onClick={() => void save()}
            >
              {t('offlineMap.keep')}
            </Button>
          </>
        ) : (
          <Button variant="secondary" onClick={() => mapRenderer(map).stopSaving()}>
            {t('offlineMap.stop')}
          </Button>
        )
      }
    >
      <div className="grid-3">
        <p>{t('offlineMap.explain')}</p>
        {saved && (
          <p className={styles.saved}>
            {t('offlineMap.kept', {
              size: megabytes(saved.bytes),
              date: new Intl.DateTimeFormat(locale, DAY).format(saved.savedAt),
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
