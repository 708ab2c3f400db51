// The target of mailed links on the Supabase platform.
import { createFileRoute } from '@tanstack/react-router';
import { ConfirmScreen } from '#/features/auth/components/confirm-screen.tsx';

export const Route = createFileRoute('/confirm')({
  validateSearch: (search: Record<string, unknown>) => ({
    token_hash: String(search.token_hash ?? ''),
    type: String(search.type ?? ''),
    redirect_to: String(search.redirect_to ?? ''),
  }),
  component: ConfirmScreen,
});
