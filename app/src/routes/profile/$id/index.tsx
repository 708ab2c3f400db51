// A person's address without a tab leads to the dogs.
import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/profile/$id/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/profile/$id/dogs', params, replace: true });
  },
});
