// A dog's tag: a URL as a QR code to print or engrave. The owner can replace the URL if it has spread too far.
import { Download } from 'lucide-react';
import { useEffect } from 'react';
import { useDogTag } from '#/features/lost-dogs/commands/lost-dog.ts';
import { errorText } from '#/i18n/errors.ts';
import { useT } from '#/i18n/i18n.ts';
import { saveFile } from '#/platform/save-file.ts';
import { siteUrl } from '#/platform/site-url.ts';
import { Button } from '#/ui/button.tsx';
import { QrCode, qrPicture } from '#/ui/qr-code.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';

interface TagSheetProps {
  dogId: string;
  name: string;
  onClose: () => void;
}

export default function TagSheet({ dogId, name, onClose }: TagSheetProps) {
  const t = useT();
  const { mutate, data: code, error, isPending } = useDogTag(dogId);
  useEffect(() => mutate(false), [mutate]);
  const address = code && siteUrl(`/tag/${code}`);
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('lostDogs.tagTitle', { name })}
      footer={
        <>
          <Button variant="secondary" busy={isPending} onClick={() => mutate(true)}>
            {t('lostDogs.tagRenew')}
          </Button>
          <Button
            icon={Download}
            disabled={!address}
            onClick={() => saveFile(qrPicture(address ?? ''), `${name}.svg`)}
          >
            {t('lostDogs.tagSave')}
          </Button>
        </>
      }
    >
      <div className="column-4">
        <p>{t('lostDogs.tagNote')}</p>
        {error && <p role="alert">{errorText(error)}</p>}
        {address ? (
          <>
            <QrCode text={address} label={t('lostDogs.tagCode')} />
            <bdi dir="ltr">{address}</bdi>
          </>
        ) : (
          <Skeleton height="12rem" />
        )}
        <p className="note">{t('lostDogs.tagRenewNote')}</p>
      </div>
    </Sheet>
  );
}
