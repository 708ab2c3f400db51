// Where a sign-in provider leads back to.
import { createFileRoute } from '@tanstack/react-router';
import { AuthCallbackScreen } from '#/features/auth/components/auth-callback-screen.tsx';

export const Route = createFileRoute('/auth-callback')({ component: AuthCallbackScreen });
