// To whom a mail was sent, in the state of the tab's history entry: it survives a reload and is in no address.
import { useNavigate, useRouterState } from '@tanstack/react-router';
import * as v from 'valibot';

const mailSent = v.object({ kind: v.picklist(['signup', 'recovery']), email: v.string() });

export type MailSent = v.InferOutput<typeof mailSent>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    mailSent?: MailSent | undefined;
  }
}

/** The mail that this screen waits for, null where there is none; and what changes that. */
export function useMailSent(): [MailSent | null, (mail: MailSent | null) => void] {
  const navigate = useNavigate();
  // Browsers keep it over a restart: it may be of another version of the app.
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
