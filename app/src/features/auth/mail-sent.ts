// That a mail was sent and to whom, kept with the tab's place in its history: a reload stays there, and no address tells it.
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
  const kept = useRouterState({ select: ({ location }) => location.state.mailSent });
  const mail = v.is(mailSent, kept) ? kept : null;
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
