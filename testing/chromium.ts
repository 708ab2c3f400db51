// Finds the browser for the tests. On Debian, root installs the distribution's Chromium if none is found.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Features that Playwright disables. They are repeated here, because Chromium uses only the last flag of this name. */
const OFF_FOR_PLAYWRIGHT = `AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose
  HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying OptimizationHints
  PaintHolding PreconnectToSearch TcpPortRandomizationWin ThirdPartyStoragePartitioning
  msEdgeUpdateLaunchServicesPreferredVersion msForceBrowserSignIn`;

/** Features that render pages below an invisible address bar in every window, which takes a tenth of the tests' processor time. */
const UNSEEN = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup'];

/** Flags for every headless Chromium: no sandbox (for root), no background requests, no invisible rendering. */
export const CHROMIUM_ARGUMENTS = [
  `--disable-features=${[...OFF_FOR_PLAYWRIGHT.split(/\s+/), ...UNSEEN].join(',')}`,
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

function findExecutable(names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => executable(file));
}

/** Returns the path of an installed Chromium or Chrome, or null. `CHROMIUM_PATH` takes precedence. */
function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && executable(CHROMIUM_PATH)) return CHROMIUM_PATH;
  return findExecutable(NAMES) ?? (executable(MAC) ? MAC : null);
}

/**
 * Returns the path of Chromium's headless shell, which is the same engine without windows and uses a fifth less processor time.
 * Null if it is missing or if `CHROMIUM_PATH` is set.
 */
export const findHeadlessShell = (): string | null =>
  process.env.CHROMIUM_PATH ? null : (findExecutable(['chromium-headless-shell']) ?? null);

/** Installs Debian packages without output. Returns false if the system or the user cannot. */
function install(...packages: string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  process.stdout.write(`Installing for the browser tests: ${packages.join(', ')} …\n`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  const { status } = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  );
  return status === 0;
}

/**
 * Returns the path of Chromium, and installs Debian's package if needed and possible.
 * @throws Error with a message that names the package to install
 */
export function ensureChromium(): string {
  const found = findChromium() ?? (install('chromium') ? findChromium() : null);
  if (found) return found;
  throw new Error(
    'The browser tests need Chromium: install your system\'s package (Debian, Ubuntu: "apt-get install chromium"; macOS: Google Chrome) or set CHROMIUM_PATH.',
  );
}

/**
 * Installs Chromium and, if possible, the headless shell, which makes the browser tests faster.
 * @throws like ensureChromium
 */
export function installBrowsers(): void {
  ensureChromium();
  if (!process.env.CHROMIUM_PATH && !findHeadlessShell()) install('chromium-headless-shell');
}
