// Registers the device for push while logged in, creates the Android channel and handles taps. Failures are only logged.
import {
  cleanUpDeviceToken,
  saveDeviceToken,
} from '#/features/notifications/commands/device-token.ts';
import { mark } from '#/features/notifications/commands/mark.ts';
import { pushTarget } from '#/features/notifications/push-target.ts';
import { translate } from '#/i18n/i18n.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import {
  beforeSignOut,
  getSession,
  sessionReady,
  subscribeSession,
} from '#/data/session/session.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { nativePlatform } from '#/platform/native.ts';
import { isOnline, onReconnect } from '#/platform/online.ts';
import {
  closeShownPushes,
  makeChannel,
  onPushTap,
  onPushToken,
  pushPermission,
  registerForPush,
  unregisterFromPush,
} from '#/platform/push.ts';

const logged = (what: string) => (error: unknown) => console.warn(`Push: ${what} failed:`, error);

/** The device's push token, once it is known. */
let token: string | null = null;
/** The user for whom the token is saved on the server. */
let savedFor: string | null = null;

/** Registers the device for the logged-in user if the permission was granted. Never asks for the permission. */
export async function followPush(): Promise<void> {
  const { status, userId } = getSession();
  const platform = nativePlatform() ?? 'web';
  // The server deletes a device with its session, so each session registers again, even if the user is the same.
  if (status === 'out') savedFor = null;
  if (status !== 'in' || !userId || savedFor === userId) return;
  if ((await pushPermission()) !== 'granted') return;
  if (!token) return registerForPush();
  savedFor = userId;
  // Store this before sending the token, because the server may save the token even if its response is lost.
  writeLocal('pushFor', userId);
  try {
    await saveDeviceToken(userId, platform, token);
  } catch (error) {
    savedFor = null;
    throw error;
  }
}

const follow = () => void followPush().catch(logged('registering'));

/** Unregisters the device on the server while the session is still valid, and then deletes the token. */
async function unregisterDevice(): Promise<void> {
  savedFor = null;
  token = null;
  if (nativePlatform()) await cleanUpDeviceToken().catch(logged('taking the token back'));
  await deleteToken().catch(logged('unregistering'));
}

/** Deletes the device's push token, which requires a network. `pushFor` stays set until that has succeeded. */
async function deleteToken(): Promise<void> {
  if (!readLocal('pushFor') || !isOnline()) return;
  token = null;
  await unregisterFromPush();
  writeLocal('pushFor', null);
}

/** Retries unregistering. If a session ended while the device was offline, the server still has the device's token. */
async function retryPendingUnregister(): Promise<void> {
  if ((await sessionReady()).status === 'out') await deleteToken();
}

const retryUnregister = () => void retryPendingUnregister().catch(logged('unregistering'));

async function openTapped(data: unknown, open: (path: string) => void): Promise<void> {
  const { path, notificationId } = pushTarget(data);
  if ((await sessionReady()).status !== 'in') return open('/login?mode=login');
  open(path);
  if (notificationId) await mark({ what: 'read', id: notificationId });
}

/** Dismisses displayed pushes, because the open app shows their content. */
const close = () => void closeShownPushes().catch(logged('closing'));

let following = false;

/** Registers this device while a user is logged in and has granted the permission. Unregisters it on logout. */
async function followDevice(): Promise<void> {
  if (following) return follow();
  following = true;
  await onPushToken((value) => {
    if (value !== token) savedFor = null;
    token = value;
    follow();
    close();
  });
  onResume(close);
  beforeSignOut(unregisterDevice);
  subscribeSession(() => {
    follow();
    retryUnregister();
  });
  onReconnect(retryUnregister);
  follow();
  retryUnregister();
}

/** Call this in a browser on each load, and when the permission is granted. */
export async function startBrowserPush(): Promise<void> {
  if (following) return follow();
  if ((await pushPermission()) !== 'granted') return;
  await followDevice();
  close();
}

/** Call this once when a native app starts. @param open navigates to a path of the app */
export async function startPush(open: (path: string) => void): Promise<void> {
  // Add this listener first, because the tap that started the app is waiting for it.
  await onPushTap((data) => void openTapped(data, open).catch(logged('opening')));
  if ((await pushPermission()) === 'unavailable') return;
  await followDevice();
  if (nativePlatform() === 'android') {
    const channels = [
      makeChannel('default', translate('notifications.push.channel')),
      makeChannel('quiet', translate('notifications.push.quietChannel')),
    ];
    await Promise.all(channels).catch(logged('the channels'));
  }
}
