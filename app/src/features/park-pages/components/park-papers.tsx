// Links to the park's poster and the HTML code of its card for other websites.
import { CodeXml, QrCode } from 'lucide-react';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { siteUrl } from '#/platform/site-url.ts';
import { Button, ButtonAnchor } from '#/ui/button.tsx';
import { copyWithToast } from '#/ui/share-text.ts';

/** Size in CSS pixels, tall enough for a name on two lines. */
const CARD = { width: 320, height: 190 };

export function ParkPapers({ parkId }: { parkId: number }) {
  const t = useT();
  const language = useLanguage();
  const address = (type: 'embed' | 'poster') => siteUrl(`/${type}/park/${parkId}?lang=${language}`);
  const card = `<iframe src="${address('embed')}" title="${t('parks.share.cardTitle')}" width="${CARD.width}" height="${CARD.height}"></iframe>`;
  return (
    <>
      <ButtonAnchor
        wide
        variant="quiet"
        icon={QrCode}
        href={address('poster')}
        target="_blank"
        rel="noreferrer"
      >
        {t('parks.share.poster')}
      </ButtonAnchor>
      <Button
        wide
        variant="quiet"
        icon={CodeXml}
        onClick={() => void copyWithToast(card, t('parks.share.cardCopied'))}
      >
        {t('parks.share.card')}
      </Button>
    </>
  );
}
