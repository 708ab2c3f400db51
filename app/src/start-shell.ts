// Start-up of native apps: deep links, pushes, Android's back button, status bar and keyboard.
import { sessionFromDeepLink } from '#/features/auth/commands/deep-link-session.ts';
import { readDeepLink } from '#/features/auth/deep-link.ts';
import { startPush } from '#/features/notifications/push.ts';
import { translate } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { readIntent } from '#/data/session/intent.ts';
import { continueAfterLogin } from '#/screens/login/continue-after-login.ts';
import { getSession } from '#/data/session/session.ts';
import { onAppLink, onBackButton } from '#/platform/app-events.ts';
import { closeBrowser } from '#/platform/browser.ts';
import { hideSplash, onKeyboard, showStatusBar } from '#/platform/screen.ts';
import { hasOpenOverlay } from '#/ui/overlays.ts';
import { currentTheme } from '#/ui/theme/theme.ts';
import { showProblem } from '#/ui/toast.ts';
import { router } from '#/router.tsx';

const warned = (error: unknown) => console.warn('The shell:', error);

const show = (href: string, replace = false) => void router.navigate({ href, replace });

async function openLink(href: string): Promise<void> {
  const link = readDeepLink(href, getConfig().siteUrl);
  if (!link) return;
  if (link.type !== 'screen') {
    void closeBrowser();
    const { to, ok, offline } = await sessionFromDeepLink(link);
    if (!ok) showProblem(translate(offline ? 'errors.offline' : 'auth.deepLink.rejected'));
    // A reset link leads to the form for the new password, so do not continue with the intent before that.
    const { userId } = getSession();
    const intent = ok && userId && to !== '/update-password' ? readIntent(userId) : null;
    await continueAfterLogin(router, intent, to);
    return;
  }
  show(link.path);
}

/** Closes an overlay, navigates back, or navigates home; false if already there. */
function goBack(): boolean {
  const menu = document.querySelector('[role="menu"]');
  if (menu) menu.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  else if (hasOpenOverlay() || router.history.canGoBack()) history.back();
  else if (router.state.location.pathname !== '/') show('/', true);
  else return false;
  return true;
}

function followTheme(): void {
  const follow = () => {
    const theme = currentTheme();
    const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();
    void showStatusBar(theme, paper).catch(warned);
  };
  follow();
  new MutationObserver(follow).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
}

/** Marks the page while the keyboard is open, because the navbar then has too little room, and shows the focused field. */
function followKeyboard(open: boolean): void {
  document.documentElement.toggleAttribute('data-keyboard', open);
  if (open) document.activeElement?.scrollIntoView({ block: 'nearest' });
}

/** Call once, after the first screen is rendered. A failing part does not stop the others. */
export async function startShell(): Promise<void> {
  void hideSplash().catch(warned);
  followTheme();
  await Promise.all([
    onAppLink((href) => void openLink(href).catch(warned)).catch(warned),
    onBackButton(goBack).catch(warned),
    onKeyboard(followKeyboard).catch(warned),
    startPush(show).catch(warned),
  ]);
}
