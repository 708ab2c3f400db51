// /user-deleted: confirms that the account was deleted.
import { createFileRoute } from '@tanstack/react-router';
import { AccountDeletedScreen } from '#/features/info/components/account-deleted-screen.tsx';

export const Route = createFileRoute('/user-deleted')({ component: AccountDeletedScreen });
