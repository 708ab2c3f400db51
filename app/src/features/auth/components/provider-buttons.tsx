// Signing in with Google or Apple, where the host has them switched on.
import { useEffect, useState } from 'react';
import { type Provider, signInWith } from '#/features/auth/commands/sign-in.ts';
import { useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { errorText } from '#/i18n/errors.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { nativePlatform } from '#/platform/native.ts';
import { Button } from '#/ui/button.tsx';
import { showToast } from '#/ui/toast.ts';
import { AppleMark, GoogleMark } from './brand-marks.tsx';
import styles from './form.module.css';

export function ProviderButtons() {
  const t = useT();
  const { google, apple } = getConfig().providers;
  const [busy, setBusy] = useState<Provider | null>(null);
  // Back from the provider by the browser's own button, the page is as it was left.
  useEffect(() => onResume(() => setBusy(null)), []);
  if (!google && !apple) return null;

  const leave = (provider: Provider) => {
    setBusy(provider);
    signInWith(provider).then(
      // A page is left now; a shell is still here when its browser is closed.
      () => nativePlatform() && setBusy(null),
      (error: unknown) => {
        setBusy(null);
        showToast(errorText(error), { kind: 'error' });
      },
    );
  };

  return (
    <>
      <p className={styles.or}>{t('auth.provider.or')}</p>
      <div className="column-3">
        {google && (
          <Button wide variant="secondary" busy={busy === 'google'} onClick={() => leave('google')}>
            <GoogleMark />
            {t('auth.provider.google')}
          </Button>
        )}
        {apple && (
          <Button wide variant="secondary" busy={busy === 'apple'} onClick={() => leave('apple')}>
            <AppleMark />
            {t('auth.provider.apple')}
          </Button>
        )}
      </div>
    </>
  );
}
