// /profile/{id}/diary: the user's pack diary.
import { createFileRoute, redirect } from '@tanstack/react-router';
import { DiaryScreen } from '#/screens/profile/diary-screen.tsx';

export const Route = createFileRoute('/profile/$id/diary')({
  beforeLoad: ({ context, params }) => {
    if (params.id !== context.userId) throw redirect({ to: '/profile/$id/dogs', params });
  },
  component: DiaryScreen,
});
