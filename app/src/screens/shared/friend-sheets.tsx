// Opens the sheets about a park for friends, to invite them and to announce the user, also after a login. They are loaded when opened.
import type { ComponentType, ReactNode } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import { useSession } from '#/data/session/session.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';
import { loadLazyMessages, translate } from '#/i18n/i18n.ts';
import type { FriendSheetProps } from '#/screens/shared/invite-sheet.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { PartMissing } from '#/ui/part-missing.tsx';

const withMessages = (load: () => Promise<{ default: ComponentType<FriendSheetProps> }>) =>
  lazyPart<FriendSheetProps>(
    () => Promise.all([load(), loadLazyMessages()]).then(([file]) => file),
    PartMissing,
  );

const SHEETS = {
  invite: withMessages(() => import('#/screens/shared/invite-sheet.tsx')),
  onMyWay: withMessages(() => import('#/screens/shared/on-my-way-sheet.tsx')),
};

export function useFriendSheets(
  parkId: number,
  guard: LoginGate['guard'],
): { invite: () => void; onMyWay: () => void; sheet: ReactNode } {
  const { status } = useSession();
  const [opened, setOpened] = useNamedOverlay<keyof typeof SHEETS>('friends');
  const Sheet = opened && SHEETS[opened];
  // Load the sheet together with its messages, which the home map does not load.
  const open = (sheet: keyof typeof SHEETS) =>
    void loadLazyMessages().then(() =>
      guard(
        translate(sheet === 'invite' ? 'ui.inviteFriends' : 'ui.onMyWay'),
        translate(sheet === 'invite' ? 'parkInvites.gate' : 'checkIns.gate'),
        () => setOpened(sheet),
        { friends: sheet },
      ),
    );
  return {
    invite: () => open('invite'),
    onMyWay: () => open('onMyWay'),
    sheet: status === 'in' && Sheet && <Sheet parkId={parkId} onClose={() => setOpened(null)} />,
  };
}
