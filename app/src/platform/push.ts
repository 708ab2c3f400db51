// Push notifications of the device: permission, the token, Android's channel, and what was tapped. Only in the shells.
import { canPush } from '#/platform/site.ts';

export type PushPermission = 'granted' | 'prompt' | 'denied' | 'unavailable';

/** Android's importance 3: makes a sound, and does not cover the screen. */
const IMPORTANCE = 3;
const CHANNEL = 'default';

const plugin = () => import('@capacitor/push-notifications');

const known = (state: string): PushPermission =>
  state === 'granted' || state === 'denied' ? state : 'prompt';

/** Never asks the person. 'unavailable' in a browser, and in a build without Firebase. */
export async function pushPermission(): Promise<PushPermission> {
  if (!(await canPush())) return 'unavailable';
  const { PushNotifications } = await plugin();
  return known((await PushNotifications.checkPermissions()).receive);
}

/** Asks the person where they were never asked: say what for before you call it. */
export async function askForPush(): Promise<PushPermission> {
  if (!(await canPush())) return 'unavailable';
  const { PushNotifications } = await plugin();
  return known((await PushNotifications.requestPermissions()).receive);
}

/** @param name what Android's settings call the channel, in the person's language */
export async function makeChannel(name: string): Promise<void> {
  const { PushNotifications } = await plugin();
  await PushNotifications.createChannel({ id: CHANNEL, name, importance: IMPORTANCE });
}

/** Calls back with this device's token now and whenever it changes; ask `registerForPush` for the first one. */
export async function onPushToken(callback: (token: string) => void): Promise<void> {
  const { PushNotifications } = await plugin();
  await PushNotifications.addListener('registration', ({ value }) => callback(value));
  await PushNotifications.addListener('registrationError', ({ error }) =>
    console.warn('No push on this device:', error),
  );
}

/** The token comes to `onPushToken`. Needs the permission: without Firebase, asking ends an Android app. */
export async function registerForPush(): Promise<void> {
  const { PushNotifications } = await plugin();
  await PushNotifications.register();
}

/** Invalidates the token: nothing reaches this device until it registers again. */
export async function unregisterFromPush(): Promise<void> {
  const { PushNotifications } = await plugin();
  await PushNotifications.unregister();
}

/** Calls back with what a tapped push carried, also for the one that started the app. It came from outside: check it. */
export async function onPushTap(callback: (data: unknown) => void): Promise<void> {
  const { PushNotifications } = await plugin();
  await PushNotifications.addListener('pushNotificationActionPerformed', ({ notification }) =>
    callback(notification.data),
  );
}
