// /profile/{id}/settings: the user's settings.
import { createFileRoute, redirect } from '@tanstack/react-router';
import { SettingsScreen } from '#/screens/profile/settings-screen.tsx';

export const Route = createFileRoute('/profile/$id/settings')({
  beforeLoad: ({ context, params }) => {
    if (params.id !== context.userId) throw redirect({ to: '/profile/$id/dogs', params });
  },
  component: SettingsScreen,
});
