// For what needs a person: a visitor gets one sentence and the way to log in, somebody logged in just goes on.
import { useLocation } from '@tanstack/react-router';
import { LogIn } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { useSession } from '#/data/session/session.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Sheet } from '#/ui/sheet.tsx';

export interface LoginGate {
  /** Runs the action for somebody who is logged in; shows a visitor why they must be. `text` is translated. */
  guard: (text: string, action: () => void) => void;
  /** Render it once in the screen. */
  sheet: ReactNode;
}

export function useLoginGate(): LoginGate {
  const t = useT();
  const { status } = useSession();
  const [text, setText] = useState<string | null>(null);
  const guard: LoginGate['guard'] = (reason, action) => {
    if (status === 'in') action();
    else setText(reason);
  };
  const sheet = (
    <Sheet
      open={text !== null}
      onClose={() => {
        setText(null);
      }}
      title={t('session.loginGate.title')}
      size="small"
      footer={<LoginLink />}
    >
      <p>{text}</p>
    </Sheet>
  );
  return { guard, sheet };
}

/** A whole screen that needs a person: why, and the way to log in. */
export function LoginNeeded({ text }: { text: string }) {
  return <EmptyState text={text} action={<LoginLink />} />;
}

/** Leads to the login and back to this address. */
function LoginLink() {
  const t = useT();
  const here = useLocation({ select: (location) => location.href });
  return (
    <ButtonLink to="/login" search={{ mode: 'login', next: here }} icon={LogIn} directionalIcon>
      {t('session.loginGate.login')}
    </ButtonLink>
  );
}
