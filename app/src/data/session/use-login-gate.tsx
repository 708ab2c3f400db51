// For actions that need a login: a visitor gets one sentence and links to log in and sign up.
import { useLocation } from '@tanstack/react-router';
import { LogIn } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { useSession } from '#/data/session/session.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Sheet } from '#/ui/sheet.tsx';

/** What a screen goes on with once the visitor is logged in. */
export type Resumable = 'check-in';

export interface LoginGate {
  /**
   * Runs the action when logged in; else shows why a login is needed. `text` is translated.
   * @param resume what goes on after the login: the screen finds it in its address as `?resume=`
   */
  guard: (text: string, action: () => void, resume?: Resumable) => void;
  /** Render it once in the screen. */
  sheet: ReactNode;
}

export function useLoginGate(): LoginGate {
  const t = useT();
  const { status } = useSession();
  const [asked, setAsked] = useState<{ text: string; resume: Resumable | undefined } | null>(null);
  const guard: LoginGate['guard'] = (text, action, resume) => {
    if (status === 'in') action();
    else setAsked({ text, resume });
  };
  const sheet = (
    <Sheet
      open={asked !== null}
      onClose={() => {
        setAsked(null);
      }}
      title={t('session.loginGate.title')}
      size="small"
      footer={<LoginLinks resume={asked?.resume} />}
    >
      <p>{asked?.text}</p>
    </Sheet>
  );
  return { guard, sheet };
}

/** A whole screen that needs a person: why, and the way to log in. */
export function LoginNeeded({ text }: { text: string }) {
  return <EmptyState text={text} action={<LoginLinks />} />;
}

/** Lead to the login, or for newcomers to the signup, and back to this address. */
function LoginLinks({ resume }: { resume?: Resumable | undefined }) {
  const t = useT();
  const here = useLocation({ select: ({ href }) => href });
  const next = resume ? `${here}${here.includes('?') ? '&' : '?'}resume=${resume}` : here;
  return (
    <>
      <ButtonLink to="/login" search={{ mode: 'signup', next }} variant="secondary">
        {t('session.loginGate.signup')}
      </ButtonLink>
      <ButtonLink to="/login" search={{ mode: 'login', next }} icon={LogIn} directionalIcon>
        {t('session.loginGate.login')}
      </ButtonLink>
    </>
  );
}
