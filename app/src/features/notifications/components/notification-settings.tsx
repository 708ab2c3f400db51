// A switch for each type of notification, and one that mutes all. Changes take effect immediately.
import { useState } from 'react';
import {
  DEFAULT_PREFERENCES,
  TYPES,
  NIGHT,
  type Preferences,
  usePreferences,
  useSavePreferences,
} from '#/features/notifications/queries/preferences.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { formatHour } from '../../../../../shared/park-time.ts';
import { Switch } from '#/ui/checkbox.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { Select } from '#/ui/select.tsx';
import { showError } from '#/ui/toast.ts';

export function NotificationSettings({ userId }: { userId: string }) {
  const t = useT();
  const locale = useLocale();
  const { data, error, refetch } = usePreferences(userId);
  const save = useSavePreferences(userId);
  // Local state, because the cache is updated slightly later and the switch would briefly flip back.
  const [wanted, setWanted] = useState<Partial<Preferences>>({});
  // Null means that the user has never changed a preference.
  if (data === undefined) return <Loading error={error} refetch={refetch} height="10rem" />;
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: formatHour(hour, locale),
  }));
  const preferences: Preferences = { ...DEFAULT_PREFERENCES, ...data, ...wanted };
  const isQuiet = preferences.quiet_from !== preferences.quiet_to;
  const change = (patch: Partial<Preferences>) => {
    setWanted((before) => ({ ...before, ...patch }));
    save.mutate(patch, { onError: showError, onSettled: () => setWanted({}) });
  };
  return (
    <div>
      <Switch
        label={t('notifications.settings.muted')}
        hint={t('notifications.settings.mutedHint')}
        checked={preferences.muted}
        onChange={(muted) => change({ muted })}
      />
      {TYPES.map((type) => (
        <Switch
          key={type}
          label={t(`notifications.settings.${type}`)}
          hint={
            type === 'friend_there' || type === 'good_time'
              ? t(`notifications.settings.${type}Hint`)
              : undefined
          }
          checked={preferences[type] && !preferences.muted}
          disabled={preferences.muted}
          onChange={(wanted) => change({ [type]: wanted })}
        />
      ))}
      <Switch
        label={t('notifications.settings.quiet')}
        hint={t('notifications.settings.quietHint')}
        checked={isQuiet}
        onChange={(quiet) => change(quiet ? NIGHT : { quiet_from: 0, quiet_to: 0 })}
      />
      {isQuiet && (
        <div className="grid-3">
          <Select
            label={t('notifications.settings.quietFrom')}
            options={hours}
            value={String(preferences.quiet_from)}
            onChange={(hour) => change({ quiet_from: Number(hour) })}
          />
          <Select
            label={t('notifications.settings.quietTo')}
            options={hours}
            value={String(preferences.quiet_to)}
            onChange={(hour) => change({ quiet_to: Number(hour) })}
          />
        </div>
      )}
    </div>
  );
}
