// /profile/{id}/dogs/{dogId}: the page of a dog.
import { createFileRoute } from '@tanstack/react-router';
import { loadDog } from '#/features/dogs/queries/dog.ts';
import { DogScreen } from '#/screens/profile/dog-screen.tsx';

export const Route = createFileRoute('/profile/$id/dogs/$dogId')({
  loader: ({ context, params }) => loadDog(context.queryClient, params.id, params.dogId),
  component: DogScreen,
});
