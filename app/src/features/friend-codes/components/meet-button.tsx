// A button that shows the user's friend code with one of their dogs.
import { QrCode } from 'lucide-react';
import { lazyPart } from '#/core/lazy-part.ts';
import type { MeetDog } from '#/features/friend-codes/commands/friend-codes.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import styles from './meet-button.module.css';

const FriendCodeSheet = lazyPart(
  () => import('#/features/friend-codes/components/friend-code-sheet.tsx'),
);

export function MeetButton({ dog }: { dog: MeetDog }) {
  const t = useT();
  const [open, setOpen] = useNamedOverlay<true>('meet');
  return (
    <>
      <Button
        variant="secondary"
        icon={QrCode}
        className={styles.button}
        onClick={() => setOpen(true)}
      >
        {t('friendCodes.meet', { name: dog.name })}
      </Button>
      {open && <FriendCodeSheet dog={dog} onClose={() => setOpen(null)} />}
    </>
  );
}
