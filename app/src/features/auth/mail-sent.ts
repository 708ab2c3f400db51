// The recipient of a sent mail, stored in the tab's history entry, because it must survive a reload and must not be in the URL.
import { useNavigate, useRouterState } from '@tanstack/react-router';
import * as v from 'valibot';

const mailSent = v.object({ type: v.picklist(['signup', 'recovery']), email: v.string() });

export type MailSent = v.InferOutput<typeof mailSent>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    mailSent?: MailSent | undefined;
  }
}

/** Returns the mail for which this screen waits, or null, and a setter. */
export function useMailSent(): [MailSent | null, (mail: MailSent | null) => void] {
  const navigate = useNavigate();
  // Browsers restore this state after a restart, so an older version of the app may have written it.
  const stored = useRouterState({ select: ({ location }) => location.state.mailSent });
  const mail = v.is(mailSent, stored) ? stored : null;
  return [
    mail,
    (next) =>
      void navigate({
        to: '/login',
        search: (now) => now,
        state: { mailSent: next ?? undefined },
        replace: true,
      }),
  ];
}
