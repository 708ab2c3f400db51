// Switches for the kinds of notifications, and one that silences all of them; each acts at once.
import { useState } from 'react';
import {
  DEFAULT_PREFERENCES,
  KINDS,
  type Preferences,
  usePreferences,
  useSavePreferences,
} from '#/features/notifications/queries/preferences.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { Switch } from '#/ui/checkbox.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { showToast } from '#/ui/toast.ts';

export function NotificationSettings({ userId }: { userId: string }) {
  const t = useT();
  const { data, isPending, error, refetch } = usePreferences(userId);
  const save = useSavePreferences(userId);
  // Shown at once: the cache tells of a change a moment later, and the switch would fall back until then.
  const [wanted, setWanted] = useState<Partial<Preferences>>({});
  if (isPending) return <Skeleton height="10rem" />;
  // Null is an answer: nothing was ever changed.
  if (data === undefined) return <FetchFailed error={error} onRetry={() => void refetch()} />;
  const preferences: Preferences = { ...DEFAULT_PREFERENCES, ...data, ...wanted };
  const change = (patch: Partial<Preferences>) => {
    setWanted((before) => ({ ...before, ...patch }));
    save.mutate(patch, {
      onError: (error) => showToast(errorText(error), { kind: 'error' }),
      onSettled: () => setWanted({}),
    });
  };
  return (
    <div>
      <Switch
        label={t('notifications.settings.muted')}
        hint={t('notifications.settings.mutedHint')}
        checked={preferences.muted}
        onChange={(muted) => change({ muted })}
      />
      {KINDS.map((kind) => (
        <Switch
          key={kind}
          label={t(`notifications.settings.${kind}`)}
          checked={preferences[kind] && !preferences.muted}
          disabled={preferences.muted}
          onChange={(wanted) => change({ [kind]: wanted })}
        />
      ))}
    </div>
  );
}
