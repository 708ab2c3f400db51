// Shares the link to a park through the clipboard, WhatsApp or the device's share sheet.
import { Copy, Ellipsis, MessageCircle, Share2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { hasSystemShare, whatsAppLink } from '#/platform/share-link.ts';
import { siteUrl } from '#/platform/site-url.ts';
import { Button, ButtonAnchor } from '#/ui/button.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { copyWithToast, shareWithToast } from '#/ui/share-text.ts';
import { Sheet } from '#/ui/sheet.tsx';

interface ShareButtonProps {
  parkId: number;
  name: string;
  /** The current number of dogs; null if unknown. */
  dogs: number | null;
  /** 'raised' is for buttons above a photo. */
  variant?: 'plain' | 'raised';
  /** Additional ways to share, below the standard ones. */
  children?: ReactNode;
}

export function ShareButton({ parkId, name, dogs, variant = 'plain', children }: ShareButtonProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const url = siteUrl(`/share/parks/${parkId}`);
  const text = dogs ? t('parks.share.textDogs', { name, dogs }) : t('parks.share.text', { name });
  const link = { title: name, text, url };
  return (
    <>
      <IconButton
        variant={variant}
        icon={Share2}
        label={t('parks.share.button')}
        onClick={() => setOpen(true)}
      />
      <Sheet open={open} onClose={close} title={t('parks.share.button')} size="small">
        <div className="grid-3">
          <ButtonAnchor
            wide
            icon={MessageCircle}
            href={whatsAppLink(link)}
            target="_blank"
            rel="noreferrer"
            onClick={close}
          >
            {t('parks.share.whatsApp')}
          </ButtonAnchor>
          <Button
            wide
            variant="secondary"
            icon={Copy}
            onClick={() => void copyWithToast(url, t('ui.copied')).then(close)}
          >
            {t('ui.copyLink')}
          </Button>
          {hasSystemShare() && (
            <Button
              wide
              variant="secondary"
              icon={Ellipsis}
              onClick={() => void shareWithToast(link).then(close)}
            >
              {t('parks.share.more')}
            </Button>
          )}
          {children}
        </div>
      </Sheet>
    </>
  );
}
