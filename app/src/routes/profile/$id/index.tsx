// /profile/{id}: redirects to the dogs tab.
import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/profile/$id/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/profile/$id/dogs', params, replace: true });
  },
});
