// Push: this device's token while logged in; in a shell its channel and what a tap opens. Failures are logged and swallowed.
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

/** The device's token, once it has told one. */
let token: string | null = null;
/** For whom it is on the server. */
let savedFor: string | null = null;

/** Brings the server and the device together: the person who is logged in and has said yes gets pushes here. Never asks. */
export async function followPush(): Promise<void> {
  const { status, userId } = getSession();
  const platform = nativePlatform() ?? 'web';
  // The server forgets a device with its session: the next one registers again, also of the same person.
  if (status === 'out') savedFor = null;
  if (status !== 'in' || !userId || savedFor === userId) return;
  if ((await pushPermission()) !== 'granted') return;
  if (!token) return registerForPush();
  savedFor = userId;
  // Before it is sent: its answer may be lost.
  writeLocal('pushFor', userId);
  try {
    await saveDeviceToken(userId, platform, token);
  } catch (error) {
    savedFor = null;
    throw error;
  }
}

const follow = () => void followPush().catch(logged('registering'));

/** While the session still counts: the server forgets the phone, and the device its token. */
async function unregisterDevice(): Promise<void> {
  savedFor = null;
  token = null;
  if (nativePlatform()) await cleanUpDeviceToken().catch(logged('taking the token back'));
  await deleteToken().catch(logged('unregistering'));
}

/** Deletes the device's own token, which needs a network; until then `pushFor` says that it is still to be done. */
async function deleteToken(): Promise<void> {
  if (!readLocal('pushFor') || !isOnline()) return;
  token = null;
  await unregisterFromPush();
  writeLocal('pushFor', null);
}

/** A session may have ended without a network, or by itself: then the device is still registered. */
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

/** What was shown is seen with the app open. */
const close = () => void closeShownPushes().catch(logged('closing'));

let following = false;

/** Registers this device for the person who is logged in, as long as the permission is there, and unregisters it at their logout. */
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

/** In a browser: at each load, and once the person has said yes. */
export async function startBrowserPush(): Promise<void> {
  if (following) return follow();
  if ((await pushPermission()) !== 'granted') return;
  await followDevice();
  close();
}

/** Call once at the start of a shell. `open`: shows a path of the app. */
export async function startPush(open: (path: string) => void): Promise<void> {
  // First of all: the tap that started the app waits for a listener.
  await onPushTap((data) => void openTapped(data, open).catch(logged('opening')));
  if ((await pushPermission()) === 'unavailable') return;
  await followDevice();
  if (nativePlatform() === 'android') {
    await makeChannel(translate('notifications.push.channel')).catch(logged('the channel'));
  }
}
