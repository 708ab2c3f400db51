// Opens the device's settings of this app, where a denied permission can be granted. Only in the shells.
import { nativePlatform } from '#/platform/native.ts';

/** False where they cannot be opened, as in every browser. */
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
