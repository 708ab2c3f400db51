// Confirms that the account was deleted.
import { createFileRoute } from '@tanstack/react-router';
import { GoodbyeScreen } from '#/features/info/components/goodbye-screen.tsx';

export const Route = createFileRoute('/user-deleted')({ component: GoodbyeScreen });
