// The top of a profile: the name, and for other users the actions to befriend, block or report them.
import { Ban, EyeOff, Flag } from 'lucide-react';
import type { ReactNode } from 'react';
import { useBlockUser } from '#/features/users/commands/blocks.ts';
import type { UserPage } from '#/features/users/queries/user-page.ts';
import { ReportUserSheet } from '#/features/users/components/report-user-sheet.tsx';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { useT } from '#/i18n/i18n.ts';
import { BackLink } from '#/ui/back-link.tsx';
import { Avatar } from '#/ui/avatar.tsx';
import { Chip } from '#/ui/chip.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { Menu, type MenuItem } from '#/ui/menu.tsx';
import { showError, showToast } from '#/ui/toast.ts';
import styles from './user-header.module.css';

interface UserHeaderProps {
  page: UserPage;
  mine: boolean;
  /** The link to the diary on the user's own profile, otherwise the friend button. */
  action: ReactNode;
  /** Additional menu items; unused on the user's own profile. */
  items: readonly MenuItem[];
  /** The link to the settings, only on the user's own profile. */
  settings: ReactNode;
  /** Called after a block, which hides the profile from both users. */
  onBlocked: () => void;
}

export function UserHeader({ page, mine, action, items, settings, onBlocked }: UserHeaderProps) {
  const t = useT();
  const [open, setOpen] = useNamedOverlay<'block' | 'report'>('user');
  const block = useBlockUser();
  const close = () => setOpen(null);
  return (
    <header className="row-wrap-3">
      {!mine && <BackLink to={{ to: '/users' }} />}
      <Avatar name={page.name} src={avatarUrl(page.picture)} size={72} />
      <div className={styles.texts}>
        <h1 className={styles.name}>
          <bdi>{page.name}</bdi>
        </h1>
        {mine && page.hidden && <Chip icon={EyeOff}>{t('users.page.hidden')}</Chip>}
        {action}
      </div>
      {mine ? (
        settings
      ) : (
        <Menu
          label={t('users.page.more', { name: page.name })}
          items={[
            ...items,
            { label: t('ui.report'), icon: Flag, onSelect: () => setOpen('report') },
            {
              label: t('users.page.block'),
              icon: Ban,
              danger: true,
              onSelect: () => setOpen('block'),
            },
          ]}
        />
      )}
      {open === 'report' && <ReportUserSheet userId={page.id} onClose={close} />}
      <ConfirmSheet
        open={open === 'block'}
        onClose={close}
        danger
        busy={block.isPending}
        title={t('users.block.title', { name: page.name })}
        text={t('users.block.text')}
        confirmLabel={t('users.page.block')}
        onConfirm={() =>
          // Use the promise instead of callbacks, because blocking clears the cache, which unmounts this header.
          void block.mutateAsync(page.id).then(() => {
            showToast(t('users.block.done'));
            onBlocked();
          }, showError)
        }
      />
    </header>
  );
}
