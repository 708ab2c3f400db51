// /update-password: the target of links in reset emails.
import { createFileRoute } from '@tanstack/react-router';
import { UpdatePasswordScreen } from '#/features/auth/components/update-password-screen.tsx';

export const Route = createFileRoute('/update-password')({ component: UpdatePasswordScreen });
