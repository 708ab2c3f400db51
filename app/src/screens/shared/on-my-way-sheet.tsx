// Announces that the user is on the way to a park. Composes check-ins and notification preferences.
import { distanceBetween } from '#/core/distance.ts';
import { walkingMinutes } from '#/core/travel-time.ts';
import { useSession } from '#/data/session/session.ts';
import { parkTranslation, usePark } from '#/entities/parks/park.ts';
import { OnMyWaySheet } from '#/features/check-ins/components/on-my-way-sheet.tsx';
import {
  DEFAULT_PREFERENCES,
  usePreferences,
  useSavePreferences,
} from '#/features/notifications/queries/preferences.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { useHere } from '#/platform/here.ts';
import type { FriendSheetProps } from '#/screens/shared/invite-sheet.tsx';
import { Switch } from '#/ui/checkbox.tsx';
import { showError } from '#/ui/toast.ts';

export default function OnMyWay({ parkId, onClose }: FriendSheetProps) {
  const t = useT();
  const userId = useSession().userId ?? '';
  const language = useLanguage();
  const park = usePark(parkId).data;
  const { place } = useHere();
  const { data } = usePreferences(userId);
  const save = useSavePreferences(userId);
  // Null data means that the user has never changed a preference; undefined data, that it is unknown.
  const isOff = data !== undefined && !{ ...DEFAULT_PREFERENCES, ...data }.friend_there;
  return (
    <OnMyWaySheet
      parkId={parkId}
      parkName={park ? parkTranslation(park, language).name : ''}
      walk={park && place ? walkingMinutes(distanceBetween(place, park)) : null}
      permission={
        isOff && (
          <Switch
            label={t('notifications.settings.friend_there')}
            hint={t('checkIns.onMyWay.off')}
            checked={false}
            onChange={(friend_there) => save.mutate({ friend_there }, { onError: showError })}
          />
        )
      }
      onClose={onClose}
    />
  );
}
