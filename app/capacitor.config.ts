// How Capacitor wraps the built app: one name and id on both platforms, and what the web view does by itself.
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
  // `dist` leads to the folder of the newest build, and Capacitor would copy the link.
  webDir: realpathSync('dist'),
  // What shows before the first paint and behind a pull at the edge: the page's own paper.
  backgroundColor: '#FBF8F1',
  // A session and who is at a park pass this bridge: nothing of it goes to the device's log.
  loggingBehavior: 'none',
  android: {
    // Newer Androids draw apps under their bars; older web views do not say how far, so the shell keeps the margins.
    adjustMarginsForEdgeToEdge: 'auto',
    // Of the two plug-ins that keep the session, each platform has the one that suits it (docs/decisions/native-shells.md).
    includePlugins: [
      ...OFFICIAL,
      'capacitor-native-settings',
      '@aparajita/capacitor-secure-storage',
    ],
  },
  ios: {
    // The page leaves room by itself (env(safe-area-inset-*)).
    contentInset: 'never',
    includePlugins: [...OFFICIAL, 'capacitor-native-settings', 'capacitor-secure-storage-plugin'],
  },
  plugins: {
    SplashScreen: {
      // The page takes it away when its first screen stands; should it never come to that, it still goes.
      launchShowDuration: 3000,
      backgroundColor: '#1D7A4F',
      androidScaleType: 'CENTER_CROP',
    },
    Keyboard: { resize: 'native', resizeOnFullScreen: true },
    PushNotifications: { presentationOptions: ['badge', 'sound', 'alert'] },
  },
};

export default config;
