// Login and signup.
import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import * as v from 'valibot';
import { LoginScreen } from '#/features/auth/components/login-screen.tsx';

const search = v.object({
  mode: v.fallback(v.picklist(['login', 'signup', 'forgot']), 'login'),
  next: v.fallback(v.optional(v.string()), undefined),
});

export const Route = createFileRoute('/login')({
  // Optional for those who link here: what is missing means a plain login.
  validateSearch: (input: Partial<v.InferOutput<typeof search>> & SearchSchemaInput) =>
    v.parse(search, input),
  component: LoginRoute,
});

function LoginRoute() {
  const { mode, next } = Route.useSearch();
  return <LoginScreen mode={mode} next={next} />;
}
