// Opens the app's settings on the device, where a denied permission can be granted. Native apps only.
import { nativePlatform } from '#/platform/native.ts';

/** Opens the settings of the native app. Returns false if that is not possible, as in a browser. */
export async function openAppSettings(): Promise<boolean> {
  if (!nativePlatform()) return false;
  try {
    const { AndroidSettings, IOSSettings, NativeSettings } =
      await import('capacitor-native-settings');
    const { status } = await NativeSettings.open({
      optionAndroid: AndroidSettings.ApplicationDetails,
      optionIOS: IOSSettings.App,
    });
    return status;
  } catch (error) {
    console.warn('The settings cannot be opened:', error);
    return false;
  }
}
