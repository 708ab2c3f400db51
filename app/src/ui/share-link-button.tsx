// Shares a link by the system's share sheet, or copies it if there is none.
import { Copy, Share2 } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { hasSystemShare, type SharedLink } from '#/platform/share-link.ts';
import { Button } from '#/ui/button.tsx';
import { copyWithToast, shareWithToast } from '#/ui/share-text.ts';

export function ShareLinkButton({ link, wide = false }: { link: SharedLink; wide?: boolean }) {
  const t = useT();
  const canShare = hasSystemShare();
  return (
    <Button
      wide={wide}
      icon={canShare ? Share2 : Copy}
      onClick={() =>
        void (canShare ? shareWithToast(link) : copyWithToast(link.url, t('ui.copied')))
      }
    >
      {t(canShare ? 'dogCarers.share' : 'ui.copyLink')}
    </Button>
  );
}
