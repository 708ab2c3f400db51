// /auth-callback: the return URL of sign-in providers.
import { createFileRoute } from '@tanstack/react-router';
import { AuthCallbackScreen } from '#/features/auth/components/auth-callback-screen.tsx';
import { continueAfterLogin } from '#/screens/login/continue-after-login.ts';

export const Route = createFileRoute('/auth-callback')({
  component: () => <AuthCallbackScreen continueAfterLogin={continueAfterLogin} />,
});
