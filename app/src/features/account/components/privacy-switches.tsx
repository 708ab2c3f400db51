// Privacy settings: who can find the user, and what friends can see.
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { saveOwnUser, useSession } from '#/data/session/session.ts';
import { Switch } from '#/ui/checkbox.tsx';
import { showError } from '#/ui/toast.ts';

const CHOICES = ['hidden', 'show_friends', 'show_favourites'] as const;

export const PrivacySwitches = () =>
  CHOICES.map((choice) => <PrivacySwitch key={choice} choice={choice} />);

function PrivacySwitch({ choice }: { choice: (typeof CHOICES)[number] }) {
  const t = useT();
  const { user } = useSession();
  // The chosen value. It is shown immediately and reverted if the server rejects it.
  const [wanted, setWanted] = useState<boolean | null>(null);
  return (
    <Switch
      label={t(`account.privacy.${choice}`)}
      hint={t(`account.privacy.${choice}Hint`)}
      checked={wanted ?? user?.[choice] ?? false}
      disabled={!user}
      onChange={(on) => {
        setWanted(on);
        saveOwnUser({ [choice]: on })
          .catch(showError)
          .finally(() => setWanted(null));
      }}
    />
  );
}
