// Login and signup.
import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { LoginScreen } from '#/features/auth/components/login-screen.tsx';

const MODES = ['login', 'signup', 'forgot'] as const;

interface LoginSearch {
  mode: (typeof MODES)[number];
  next?: string | undefined;
}

export const Route = createFileRoute('/login')({
  // Optional for those who link here: what is missing means a plain login.
  validateSearch: ({ mode, next }: Partial<LoginSearch> & SearchSchemaInput): LoginSearch => ({
    mode: MODES.find((known) => known === mode) ?? 'login',
    ...(typeof next === 'string' && { next }),
  }),
  component: LoginRoute,
});

function LoginRoute() {
  const { mode, next } = Route.useSearch();
  return <LoginScreen mode={mode} next={next} />;
}
