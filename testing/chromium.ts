// Finds the browser that the tests drive; on Debian as root it installs the distribution's Chromium when none is there.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** What Playwright switches off itself, again: of two such lists Chromium takes the second. */
const OFF_FOR_PLAYWRIGHT = `AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose
  HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying OptimizationHints
  PaintHolding PreconnectToSearch TcpPortRandomizationWin ThirdPartyStoragePartitioning
  msEdgeUpdateLaunchServicesPreferredVersion msForceBrowserSignIn`;

/** Two pages that each window draws below an address bar that nobody sees: a tenth of the processor's time of the journeys. */
const UNSEEN = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup'];

/** How every headless Chromium of ours is started: no sandbox (root), nothing that calls out by itself or is drawn unseen. */
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

/** The path of an installed Chromium or Chrome, or null. `CHROMIUM_PATH` comes first. */
function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && executable(CHROMIUM_PATH)) return CHROMIUM_PATH;
  return findExecutable(NAMES) ?? (executable(MAC) ? MAC : null);
}

/**
 * The path of Chromium's headless shell, or null: the same engine without windows, which takes a fifth less of the processor.
 * Null also where `CHROMIUM_PATH` says which browser to take.
 */
export const findHeadlessShell = (): string | null =>
  process.env.CHROMIUM_PATH ? null : (findExecutable(['chromium-headless-shell']) ?? null);

/** Installs packages of Debian, quietly; false where this system or user cannot. */
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

/** Like findChromium, but installs Debian's package where it may. Throws one sentence that says what to install. */
export function ensureChromium(): string {
  const found = findChromium() ?? (install('chromium') ? findChromium() : null);
  if (found) return found;
  throw new Error(
    'The browser tests need Chromium: install your system\'s package (Debian, Ubuntu: "apt-get install chromium"; macOS: Google Chrome) or set CHROMIUM_PATH.',
  );
}

/**
 * Chromium, and where Debian has it and this user may, the headless shell, too: without it the browser tests take longer.
 * @throws as ensureChromium does
 */
export function installBrowsers(): void {
  ensureChromium();
  if (!process.env.CHROMIUM_PATH && !findHeadlessShell()) install('chromium-headless-shell');
}
