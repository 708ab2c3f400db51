// Login and signup.
import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import type { LoginMode } from '#/features/auth/credentials.ts';
import { LoginScreen } from '#/features/auth/components/login-screen.tsx';
import { continueAfterLogin } from '#/screens/login/continue-after-login.ts';

const MODES: readonly LoginMode[] = ['login', 'signup', 'forgot'];

export const Route = createFileRoute('/login')({
  // Optional in links; without a mode the login is shown.
  validateSearch: ({ mode }: { mode?: LoginMode } & SearchSchemaInput): { mode: LoginMode } => ({
    mode: MODES.find((known) => known === mode) ?? 'login',
  }),
  component: LoginRoute,
});

function LoginRoute() {
  return <LoginScreen mode={Route.useSearch().mode} continueAfterLogin={continueAfterLogin} />;
}
