// Shown if a lazily loaded part of a screen could not be downloaded.
import { useT } from '#/i18n/i18n.ts';
import { OfflineNote } from '#/ui/offline-note.tsx';

export function PartMissing() {
  const t = useT();
  return <OfflineNote role="alert" text={t('errors.offline')} />;
}
