// Opens the sheet that invites friends to a park, also after a login. The sheet is loaded when it is opened.
import type { ReactNode } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import { useSession } from '#/data/session/session.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';
import { loadLazyMessages, translate } from '#/i18n/i18n.ts';
import type { InviteProps } from '#/screens/shared/invite-sheet.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { PartMissing } from '#/ui/part-missing.tsx';

const Invite = lazyPart<InviteProps>(
  () =>
    Promise.all([import('#/screens/shared/invite-sheet.tsx'), loadLazyMessages()]).then(
      ([file]) => file,
    ),
  PartMissing,
);

export function useInvite(
  parkId: number,
  guard: LoginGate['guard'],
): { invite: () => void; sheet: ReactNode } {
  const { status } = useSession();
  const [opened, setOpened] = useNamedOverlay('meeting');
  return {
    // Load the sheet together with its messages, which the home map does not load.
    invite: () =>
      void loadLazyMessages().then(() =>
        guard(translate('ui.inviteFriends'), translate('parkInvites.gate'), () => setOpened(true), {
          meeting: true,
        }),
      ),
    sheet: status === 'in' && opened !== null && (
      <Invite parkId={parkId} onClose={() => setOpened(null)} />
    ),
  };
}
