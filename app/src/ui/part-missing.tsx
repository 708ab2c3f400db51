// Shown if a lazily loaded part of a screen could not be downloaded.
import { useT } from '#/i18n/i18n.ts';
import { useOnline } from '#/platform/online.ts';
import { OfflineNote } from '#/ui/offline-note.tsx';

export function PartMissing() {
  const t = useT();
  const online = useOnline();
  // If the device is online, a newer build has replaced the file.
  return online ? (
    <p role="alert">{t('errors.part_missing')}</p>
  ) : (
    <OfflineNote role="alert" text={t('errors.offline')} />
  );
}
