// Offers once to install the app, within the page so that it covers nothing.
import { Download, Share, X } from 'lucide-react';
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { endInstallOffer, install, installWay } from '#/features/shell/install-offer.ts';
import { Button } from '#/ui/button.tsx';
import { useFloatingCard } from '#/ui/use-floating-card.ts';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './install-hint.module.css';

export default function InstallHint() {
  const t = useT();
  const [way, setWay] = useState(installWay);
  const isShown = useFloatingCard('install', way !== null);
  if (!way || !isShown) return null;
  const end = () => {
    endInstallOffer();
    setWay(null);
  };
  return (
    <aside className={styles.hint} aria-label={t('shell.install.title')}>
      <Icon of={way === 'ios' ? Share : Download} />
      <p className={styles.text}>{t(`shell.install.${way}`)}</p>
      {way === 'prompt' && (
        <Button onClick={() => void install().finally(end)}>{t('shell.install.button')}</Button>
      )}
      <IconButton icon={X} label={t('ui.neverAgain')} onClick={end} />
    </aside>
  );
}
