// Where the link of a reset mail leads to.
import { createFileRoute } from '@tanstack/react-router';
import { UpdatePasswordScreen } from '#/features/auth/components/update-password-screen.tsx';

export const Route = createFileRoute('/update-password')({ component: UpdatePasswordScreen });
