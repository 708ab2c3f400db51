// /delete-account: how to delete an account, readable without a login.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';

export const Route = createFileRoute('/delete-account')({
  component: () => <InfoScreen page="delete-account" />,
});
