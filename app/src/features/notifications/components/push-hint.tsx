// Offers push notifications. Explains them, then requests the system's permission; if that is denied, links to the settings.
import { BellRing } from 'lucide-react';
import { useEffect, useState } from 'react';
import { followPush, startBrowserPush } from '#/features/notifications/push.ts';
import { useT } from '#/i18n/i18n.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { nativePlatform } from '#/platform/native.ts';
import {
  askForPush,
  needsHomeScreen,
  pushPermission,
  type PushPermission,
} from '#/platform/push.ts';
import { openAppSettings } from '#/platform/settings.ts';
import { PermissionCard } from '#/ui/permission-card.tsx';
import { Button } from '#/ui/button.tsx';

const failed = (error: unknown) => console.warn('Push:', error);

/** @param text replaces the general explanation */
export default function PushHint({ text: special }: { text?: string }) {
  const t = useT();
  const [permission, setPermission] = useState<PushPermission | null>(null);
  const [dismissed, setDismissed] = useState(() => readLocal('pushDismissed') !== null);
  useEffect(() => {
    const look = () => void pushPermission().then(setPermission, failed);
    look();
    // Check again on resume, because the user may have changed the permission in the settings.
    return onResume(look);
  }, []);
  useEffect(() => {
    if (permission === 'granted')
      void (nativePlatform() ? followPush() : startBrowserPush()).catch(failed);
  }, [permission]);

  // Only native apps can open the settings; a web page cannot.
  const isDenied = permission === 'denied' && nativePlatform() !== null;
  const fromHomeScreen = needsHomeScreen();
  if (dismissed || !(permission === 'prompt' || isDenied || fromHomeScreen)) return null;
  const text = isDenied ? 'denied' : fromHomeScreen ? 'homeScreen' : 'text';
  return (
    <PermissionCard
      icon={BellRing}
      title={t('notifications.push.title')}
      text={text === 'text' && special ? special : t(`notifications.push.${text}`)}
    >
      <Button
        variant="quiet"
        onClick={() => {
          writeLocal('pushDismissed', 'yes');
          setDismissed(true);
        }}
      >
        {t('ui.notNow')}
      </Button>
      {!fromHomeScreen && (
        <Button
          onClick={() => {
            if (isDenied) void openAppSettings();
            else void askForPush().then(setPermission, failed);
          }}
        >
          {t(isDenied ? 'ui.openSettings' : 'ui.turnOn')}
        </Button>
      )}
    </PermissionCard>
  );
}
