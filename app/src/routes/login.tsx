// Login and signup.
import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { LoginScreen } from '#/features/auth/components/login-screen.tsx';

const MODES = ['login', 'signup', 'forgot'] as const;

interface LoginSearch {
  mode: (typeof MODES)[number];
}

export const Route = createFileRoute('/login')({
  // Optional for those who link here: what is missing means a plain login.
  validateSearch: ({ mode }: Partial<LoginSearch> & SearchSchemaInput): LoginSearch => ({
    mode: MODES.find((known) => known === mode) ?? 'login',
  }),
  component: LoginRoute,
});

function LoginRoute() {
  return <LoginScreen mode={Route.useSearch().mode} />;
}
