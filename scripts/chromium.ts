// Finds the browser that the tests drive; on Debian as root it installs the distribution's Chromium when none is there.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** What Playwright switches off itself, again: of two such lists Chromium takes the second. */
const OFF_FOR_PLAYWRIGHT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
];

/** Two pages that each window draws below an address bar that nobody sees: a tenth of the processor's time of the journeys. */
const UNSEEN = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup'];

/** How every headless Chromium of ours is started: no sandbox (root), nothing that calls out by itself or is drawn for nobody. */
export const CHROMIUM_ARGUMENTS = [
  `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...UNSEEN].join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function executable(file: string) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of an installed Chromium or Chrome, or null. `CHROMIUM_PATH` comes first. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    MAC,
  ];
  return candidates.find((file) => file && executable(file)) ?? null;
}

/**
 * Like findChromium, but installs Debian's package where it may.
 * @throws one sentence that says what to install
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write(
      'No Chromium here: installing the package "chromium" for the browser tests …\n',
    );
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new Error(
    'The browser tests need Chromium: install your system\'s package (Debian, Ubuntu: "apt-get install chromium"; macOS: Google Chrome) or set CHROMIUM_PATH.',
  );
}
