// /email-callback: the target of links in confirmation emails.
import { createFileRoute } from '@tanstack/react-router';
import { EmailCallbackScreen } from '#/features/auth/components/email-callback-screen.tsx';
import { continueAfterLogin } from '#/screens/login/continue-after-login.ts';

export const Route = createFileRoute('/email-callback')({
  component: () => <EmailCallbackScreen continueAfterLogin={continueAfterLogin} />,
});
