// Push notifications in native apps and browsers: permission, token, Android's channel and taps.
import { getConfig } from '#/platform/config.ts';
import { nativePlatform } from '#/platform/native.ts';
import { canPush } from '#/platform/site.ts';

export type PushPermission = 'granted' | 'prompt' | 'denied' | 'unavailable';

/** Android's importance 3: with a sound, without covering the screen. */
/** The IDs that send-push uses, with Android's importance: 2 makes no sound. */
const CHANNELS = { default: 3, quiet: 2 } as const;

const plugin = () => import('@capacitor/push-notifications');

const known = (state: string): PushPermission =>
  state === 'granted' || state === 'denied' ? state : 'prompt';

/** True if this browser supports push; on iOS only when installed on the home screen. */
const browserCanPush = (): boolean =>
  !nativePlatform() &&
  'serviceWorker' in navigator &&
  'PushManager' in globalThis &&
  'Notification' in globalThis &&
  Boolean(getConfig().pushKey);

/** True in Safari on iOS, which supports push only when installed on the home screen. */
export const needsHomeScreen = (): boolean =>
  !nativePlatform() &&
  !('PushManager' in globalThis) &&
  'standalone' in navigator &&
  Boolean(getConfig().pushKey);

/** Never prompts the user. 'unavailable' if the browser or the build does not support push. */
export async function pushPermission(): Promise<PushPermission> {
  if (browserCanPush()) return known(Notification.permission);
  if (!(await canPush())) return 'unavailable';
  const { PushNotifications } = await plugin();
  return known((await PushNotifications.checkPermissions()).receive);
}

/** Prompts the user if needed. Explain why first, and call it from a tap. */
export async function askForPush(): Promise<PushPermission> {
  if (browserCanPush()) return known(await Notification.requestPermission());
  if (!(await canPush())) return 'unavailable';
  const { PushNotifications } = await plugin();
  return known((await PushNotifications.requestPermissions()).receive);
}

/** @param name translated name of the channel in Android's settings */
export async function makeChannel(id: keyof typeof CHANNELS, name: string): Promise<void> {
  const { PushNotifications } = await plugin();
  await PushNotifications.createChannel({ id, name, importance: CHANNELS[id] });
}

let onToken: (token: string) => void = () => undefined;

/** Calls back with the token now and whenever it changes; `registerForPush` requests the first one. */
export async function onPushToken(callback: (token: string) => void): Promise<void> {
  onToken = callback;
  if (browserCanPush()) return;
  const { PushNotifications } = await plugin();
  await PushNotifications.addListener('registration', ({ value }) => callback(value));
  await PushNotifications.addListener('registrationError', ({ error }) =>
    console.warn('No push on this device:', error),
  );
}

const ownKey = (subscription: PushSubscription): string =>
  btoa(String.fromCharCode(...new Uint8Array(subscription.options.applicationServerKey ?? [])))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** Subscribes the browser to pushes; replaces a subscription that was made with an earlier key of the site. */
async function subscribe(): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = getConfig().pushKey ?? '';
  let subscription = await pushManager.getSubscription();
  if (subscription && ownKey(subscription) !== key) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { endpoint, keys } = subscription.toJSON();
  onToken(JSON.stringify({ endpoint, keys }));
}

/** Requests a token, which `onPushToken` receives. Requires permission; on Android, the app crashes without Firebase. */
export async function registerForPush(): Promise<void> {
  if (browserCanPush()) return subscribe();
  const { PushNotifications } = await plugin();
  await PushNotifications.register();
}

/** Invalidates the token, so this device receives no pushes until it registers again. */
export async function unregisterFromPush(): Promise<void> {
  if (browserCanPush()) {
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
    return;
  }
  const { PushNotifications } = await plugin();
  await PushNotifications.unregister();
}

/** Removes delivered notifications and the badge of the app icon. On iOS this works only once the device has a token. */
export async function closeShownPushes(): Promise<void> {
  if (nativePlatform()) {
    const { PushNotifications } = await plugin();
    return PushNotifications.removeAllDeliveredNotifications();
  }
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  await navigator.clearAppBadge?.();
}

/** Calls back with the data of a tapped push, including the one that launched the app. The data is untrusted. */
export async function onPushTap(callback: (data: unknown) => void): Promise<void> {
  const { PushNotifications } = await plugin();
  await PushNotifications.addListener('pushNotificationActionPerformed', ({ notification }) =>
    callback(notification.data),
  );
}
