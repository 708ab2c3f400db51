// Shares a park: the device's own way, else the link goes to the clipboard and a toast says so.
import { Share2 } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { shareLink } from '#/platform/share-link.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import { showToast } from '#/ui/toast.ts';

export function ShareButton({ parkId, name }: { parkId: number; name: string }) {
  const t = useT();
  const share = async () => {
    const base = getConfig().siteUrl || location.origin;
    const url = new URL(`/share/parks/${String(parkId)}`, base).href;
    const outcome = await shareLink({ title: name, text: t('parks.share.text', { name }), url });
    if (outcome === 'copied') showToast(t('parks.share.copied'), { kind: 'success' });
    if (outcome === 'failed') showToast(t('ui.tryLater'), { kind: 'error' });
  };
  return (
    <IconButton
      icon={Share2}
      label={t('parks.share.button')}
      onClick={() => {
        void share();
      }}
    />
  );
}
