// The layout around every screen: navbar, offline banner, and the surfaces above the screen.
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Navbar } from '#/features/shell/components/navbar.tsx';
import { OfflineBanner } from '#/features/shell/components/offline-banner.tsx';
import { translate, useT } from '#/i18n/i18n.ts';
import { useInstallOffer } from '#/features/shell/install-offer.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { whenFirstScreenComplete, whenFirstScreenReady } from '#/core/first-screen.ts';
import { useQueuedCommands } from '#/offline/command-queue/queued-commands.ts';
import { useAgePrompt } from '#/data/session/age-prompt.ts';
import { saveIntent } from '#/data/session/intent.ts';
import { refetchCleared, useSession } from '#/data/session/session.ts';
import { getNamedOverlays } from '#/ui/overlays.ts';
import type { SaveAppearance } from '#/entities/users/use-appearance.ts';
import { PopupHost } from '#/ui/popup-host.tsx';
import { hideToast, showToast, type Toast } from '#/ui/toast.ts';
import { Toaster } from '#/ui/toaster.tsx';
import styles from './layout.module.css';

/** Loaded lazily, because it is rarely needed and the screen works without it. */
const QueuedBar = lazyPart(() => import('#/features/queued-commands/components/queued-bar.tsx'));
const InstallHint = lazyPart(() => import('#/features/shell/components/install-hint.tsx'));
const AgeSheet = lazyPart(() => import('#/features/consents/components/age-sheet.tsx'));
const CurrentVisit = lazyPart(() => import('#/screens/visit-bar/current-visit.tsx'));
const DeskLink = lazyPart(() => import('#/features/desk/components/desk-link.tsx'));
const UnseenBadge = lazyPart(() => import('#/features/notifications/components/unseen-badge.tsx'));

/** Loaded on demand, because the first screen needs no commands. */
const saveAppearance: SaveAppearance = async (appearance) => {
  const file = await import('#/features/account/commands/save-appearance.command.ts');
  return file.saveAppearance(appearance);
};

export function RootLayout() {
  const t = useT();
  useGuardsAfterSessionChange();
  const hasQueued = useQueuedCommands().length > 0;
  const hint = useInstallOffer();
  const showsVisit = useShowsVisit();
  const ageAsked = useAgePrompt() !== null;
  return (
    <>
      <a href="#main" className={styles.skip}>
        {t('shell.skip')}
      </a>
      <Navbar
        badge={<UnseenBadge />}
        saveAppearance={saveAppearance}
        desk={(onOpen) => <DeskLink onClick={onOpen} />}
      />
      <div className={styles.column}>
        <OfflineBanner />
        {hasQueued && <QueuedBar />}
        {hint && <InstallHint />}
        <main id="main" tabIndex={-1} className={styles.main}>
          <Outlet />
        </main>
      </div>
      {showsVisit && <CurrentVisit />}
      {ageAsked && <AgeSheet />}
      {/* Loaded from the start, because they report a missing network and could not be loaded then. */}
      <Toaster />
      <PopupHost />
    </>
  );
}

/** Returns whether to show the parts that depend on the login: only if logged in, and after the first screen is shown. */
function useShowsVisit(): boolean {
  const { status } = useSession();
  const [isShown, setShown] = useState(false);
  useEffect(() => void whenFirstScreenReady().then(() => setShown(true)), []);
  return isShown && status === 'in';
}

/** Runs the route's guards again after a login or logout in any tab, and announces an expired session with its unsent commands. */
function useGuardsAfterSessionChange(): void {
  const router = useRouter();
  const { status, userId, ended, lostBy } = useSession();
  const before = useRef({ status, userId });
  useEffect(() => {
    const was = before.current;
    before.current = { status, userId };
    if (was.status === status && was.userId === userId) return;
    // The guards wait while the session is unknown, so they need not run again.
    if (was.status === 'unknown') return void refetchCleared();
    const [, area, id, tab = ''] = router.history.location.pathname.split('/');
    // The profile of the previous account now belongs to another user.
    const guarded =
      userId && area === 'profile' && id === was.userId
        ? router.navigate({ href: `/profile/${userId}/${tab}`, replace: true })
        : router.invalidate();
    void guarded.then(refetchCleared);
  }, [router, status, userId]);
  useEffect(() => {
    if (!ended && status !== 'out') return undefined;
    const { href, pathname } = router.history.location;
    if (ended && pathname !== '/login') saveIntent(href, getNamedOverlays(), lostBy);
    let toast: Toast['id'] | null = null;
    let isOver = false;
    // Unsent commands of a lost session are announced again when the app starts without a login. Nothing is announced after a
    // logout, which deliberately deletes unsent commands.
    void (ended ? Promise.resolve() : whenFirstScreenComplete())
      .then(() => import('#/offline/command-queue/queue.ts'))
      .then(({ commandQueue }) => commandQueue.count(lostBy))
      .catch(() => 0)
      .then((count) => {
        if (isOver || (!ended && count === 0)) return;
        const text =
          count > 0
            ? translate('queuedCommands.sessionExpired', { count })
            : translate(
                ended === 'secondFactor' ? 'session.secondFactorAdded' : 'errors.session_expired',
              );
        toast = showToast(text, { type: 'error', lasts: null });
      });
    return () => {
      isOver = true;
      if (toast !== null) hideToast(toast);
    };
  }, [router, status, ended, lostBy]);
}
