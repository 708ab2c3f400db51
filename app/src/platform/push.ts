// Push notifications of the device: permission, the token, Android's channel, and what was tapped, in shells and in browsers.
import { getConfig } from '#/platform/config.ts';
import { nativePlatform } from '#/platform/native.ts';
import { canPush } from '#/platform/site.ts';

export type PushPermission = 'granted' | 'prompt' | 'denied' | 'unavailable';

/** Android's importance 3: makes a sound, and does not cover the screen. */
const IMPORTANCE = 3;
const CHANNEL = 'default';

const plugin = () => import('@capacitor/push-notifications');

const known = (state: string): PushPermission =>
  state === 'granted' || state === 'denied' ? state : 'prompt';

/** Whether this browser can receive pushes of this site; on iOS only from the home screen. */
const browserCanPush = (): boolean =>
  !nativePlatform() &&
  'serviceWorker' in navigator &&
  'PushManager' in globalThis &&
  'Notification' in globalThis &&
  Boolean(getConfig().pushKey);

/** Whether it is an iPhone's or iPad's browser, which would receive pushes from the home screen. */
export const needsHomeScreen = (): boolean =>
  !nativePlatform() &&
  !('PushManager' in globalThis) &&
  'standalone' in navigator &&
  Boolean(getConfig().pushKey);

/** Never asks the person. 'unavailable' where the browser or the build cannot receive any. */
export async function pushPermission(): Promise<PushPermission> {
  if (browserCanPush()) return known(Notification.permission);
  if (!(await canPush())) return 'unavailable';
  const { PushNotifications } = await plugin();
  return known((await PushNotifications.checkPermissions()).receive);
}

/** Asks the person where they were never asked: say what for before you call it, after a tap. */
export async function askForPush(): Promise<PushPermission> {
  if (browserCanPush()) return known(await Notification.requestPermission());
  if (!(await canPush())) return 'unavailable';
  const { PushNotifications } = await plugin();
  return known((await PushNotifications.requestPermissions()).receive);
}

/** @param name what Android's settings call the channel, in the person's language */
export async function makeChannel(name: string): Promise<void> {
  const { PushNotifications } = await plugin();
  await PushNotifications.createChannel({ id: CHANNEL, name, importance: IMPORTANCE });
}

let tellToken: (token: string) => void = () => undefined;

/** Calls back with this device's token now and whenever it changes; ask `registerForPush` for the first one. */
export async function onPushToken(callback: (token: string) => void): Promise<void> {
  tellToken = callback;
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

/** The browser's subscription, a new one where the site has another key by now. */
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
  tellToken(JSON.stringify({ endpoint, keys }));
}

/** The token comes to `onPushToken`. Needs the permission: without Firebase, asking ends an Android app. */
export async function registerForPush(): Promise<void> {
  if (browserCanPush()) return subscribe();
  const { PushNotifications } = await plugin();
  await PushNotifications.register();
}

/** Invalidates the token: nothing reaches this device until it registers again. */
export async function unregisterFromPush(): Promise<void> {
  if (browserCanPush()) {
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
    return;
  }
  const { PushNotifications } = await plugin();
  await PushNotifications.unregister();
}

/** Takes what is shown of earlier pushes off the screen, and the number off the app's icon. iOS needs a token first. */
export async function closeShownPushes(): Promise<void> {
  if (nativePlatform()) {
    const { PushNotifications } = await plugin();
    return PushNotifications.removeAllDeliveredNotifications();
  }
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  await navigator.clearAppBadge?.();
}

/** Calls back with what a tapped push carried, also for the one that started the app. It came from outside: check it. */
export async function onPushTap(callback: (data: unknown) => void): Promise<void> {
  const { PushNotifications } = await plugin();
  await PushNotifications.addListener('pushNotificationActionPerformed', ({ notification }) =>
    callback(notification.data),
  );
}
