// Capacitor configuration: app name and ID, plug-ins, and behaviour of the web view.
import { realpathSync } from 'node:fs';
import type { CapacitorConfig } from '@capacitor/cli';

const OFFICIAL = [
  'app',
  'browser',
  'camera',
  'geolocation',
  'haptics',
  'keyboard',
  'push-notifications',
  'share',
  'splash-screen',
  'status-bar',
].map((name) => `@capacitor/${name}`);

const config: CapacitorConfig = {
  appId: 'app.packpark',
  appName: 'Packpark',
  // `dist` is a link to the newest build, and Capacitor would copy the link.
  webDir: realpathSync('dist'),
  // Background before the first paint and when overscrolling: the page's paper colour.
  backgroundColor: '#FBF8F1',
  // Sessions and check-ins pass through this bridge and must not be written to the device's log.
  loggingBehavior: 'none',
  android: {
    // Newer Android versions draw apps under the system bars, and older web views do not report their size, so use native margins.
    adjustMarginsForEdgeToEdge: 'auto',
    // Each platform uses a different plug-in for storing the session (docs/decisions/native-shells.md).
    includePlugins: [
      ...OFFICIAL,
      'capacitor-native-settings',
      '@aparajita/capacitor-secure-storage',
    ],
  },
  ios: {
    // The page adds its own padding (env(safe-area-inset-*)).
    contentInset: 'never',
    includePlugins: [...OFFICIAL, 'capacitor-native-settings', 'capacitor-secure-storage-plugin'],
  },
  plugins: {
    SplashScreen: {
      // The page hides the splash screen after its first render; this is the timeout if that fails.
      launchShowDuration: 3000,
      backgroundColor: '#1D7A4F',
      androidScaleType: 'CENTER_CROP',
    },
    Keyboard: { resize: 'native', resizeOnFullScreen: true },
    PushNotifications: { presentationOptions: ['badge', 'sound', 'alert'] },
  },
};

export default config;
