// The user's friend code: a one-time link as a QR code, which expires after ten minutes and can be withdrawn.
import { useEffect } from 'react';
import { useNow } from '#/core/use-now.ts';
import {
  type MeetDog,
  useEndFriendCodes,
  useMakeFriendCode,
} from '#/features/friend-codes/commands/friend-codes.ts';
import { errorText } from '#/i18n/errors.ts';
import { useT } from '#/i18n/i18n.ts';
import { useAnnounce } from '#/ui/announcements.ts';
import { Button } from '#/ui/button.tsx';
import { QrCode } from '#/ui/qr-code.tsx';
import { ShareLinkButton } from '#/ui/share-link-button.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { showError } from '#/ui/toast.ts';

export default function FriendCodeSheet({ dog, onClose }: { dog: MeetDog; onClose: () => void }) {
  const t = useT();
  const now = useNow(1000);
  const { mutate, reset, data, error, isPending } = useMakeFriendCode(dog);
  const end = useEndFriendCodes();
  useEffect(() => mutate(), [mutate]);
  const title = t('friendCodes.meet', { name: dog.name });
  const url = data && now < data.until ? data.url : null;
  const isOver = !url && !error && !isPending && (data !== undefined || end.isSuccess);
  useAnnounce(url ? t('friendCodes.limits') : isOver ? t('friendCodes.over') : '');
  return (
    <Sheet
      onClose={onClose}
      title={title}
      footer={
        url ? (
          <>
            <Button
              variant="secondary"
              busy={end.isPending}
              onClick={() => end.mutate(undefined, { onSuccess: reset, onError: showError })}
            >
              {t('friendCodes.withdraw')}
            </Button>
            <ShareLinkButton
              link={{ title, text: t('friendCodes.shareText', { name: dog.name }), url }}
            />
          </>
        ) : (
          <Button busy={isPending} onClick={() => mutate()}>
            {t('friendCodes.new')}
          </Button>
        )
      }
    >
      <div className="column-4">
        {error && <p role="alert">{errorText(error)}</p>}
        {isOver && <p>{t('friendCodes.over')}</p>}
        {isPending && <Skeleton height="12rem" />}
        {url && (
          <>
            <p>{t('friendCodes.howTo', { name: dog.name })}</p>
            <QrCode text={url} label={t('dogCarers.qr')} />
            <p className="note">{t('friendCodes.limits')}</p>
          </>
        )}
      </div>
    </Sheet>
  );
}
