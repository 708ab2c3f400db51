// For actions that need a login: a visitor gets one sentence and links to log in and sign up.
import { useLocation } from '@tanstack/react-router';
import { LogIn } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { readLocal } from '#/platform/local-settings.ts';
import { saveIntent } from '#/data/session/intent.ts';
import { sessionReady, useSession } from '#/data/session/session.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import type { NamedOverlays } from '#/ui/overlays.ts';
import { Sheet } from '#/ui/sheet.tsx';

export interface LoginGate {
  /**
   * Runs the action if the user is logged in; otherwise shows why a login is required.
   * @param title names the action that continues after the login, like the button that starts it
   * @param text the reason; both translated
   * @param opens sheets to open after the login; actions visible to others are never run automatically
   * @param favouriteParkId a park to add to the favourites after the login
   */
  guard: (
    title: string,
    text: string,
    action: () => void,
    opens?: NamedOverlays,
    favouriteParkId?: number,
  ) => void;
  /** Render it once in the screen. */
  sheet: ReactNode;
}

interface AfterLogin {
  opens?: NamedOverlays | undefined;
  favouriteParkId?: number | undefined;
}

export function useLoginGate(): LoginGate {
  const { status } = useSession();
  const [prompt, setPrompt] = useState<({ title: string; text: string } & AfterLogin) | null>(null);
  const guard: LoginGate['guard'] = (title, text, action, opens, favouriteParkId) => {
    const decide = (isIn: boolean) =>
      isIn ? action() : setPrompt({ title, text, opens, favouriteParkId });
    if (status !== 'unknown') return decide(status === 'in');
    void sessionReady().then((session) => decide(session.status === 'in'));
  };
  const sheet = (
    <Sheet
      open={prompt !== null}
      onClose={() => setPrompt(null)}
      title={prompt?.title ?? ''}
      size="small"
      footer={<LoginLinks {...prompt} />}
    >
      <p>{prompt?.text}</p>
    </Sheet>
  );
  return { guard, sheet };
}

/** A screen that requires a login: the reason, and links to log in. */
export const LoginNeeded = ({ text }: { text: string }) => (
  <EmptyState
    text={text}
    action={
      <div className="column-3">
        <LoginLinks />
      </div>
    }
  />
);

/** Returns whether a user has ever logged in on this device. */
const isKnown = () => readLocal('wasIn') !== null;

/** Links to log in and sign up, with the likelier one last and primary; both return to this screen. */
export function LoginLinks({
  opens,
  favouriteParkId,
  onLogin,
}: AfterLogin & { onLogin?: () => void }) {
  const t = useT();
  const here = useLocation({ select: ({ href }) => href });
  const keep = () => {
    saveIntent(here, opens, null, favouriteParkId);
    onLogin?.();
  };
  const modes = isKnown() ? (['signup', 'login'] as const) : (['login', 'signup'] as const);
  return modes.map((mode, at) => (
    <ButtonLink
      key={mode}
      to="/login"
      search={{ mode }}
      onClick={keep}
      variant={at === 0 ? 'secondary' : 'primary'}
      {...(mode === 'login' && { icon: LogIn, directionalIcon: true })}
    >
      {t(mode === 'login' ? 'ui.login' : 'session.loginGate.signup')}
    </ButtonLink>
  ));
}
