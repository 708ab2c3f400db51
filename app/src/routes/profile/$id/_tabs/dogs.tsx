// The dogs of a person.
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { dogsOfOwnerQueryOptions, keptDogsQueryOptions } from '#/features/dogs/queries/dogs.ts';
import { DogList } from '#/features/dogs/components/dog-list.tsx';
import { loadOrOffline } from '#/data/load-or-offline.ts';
import { useSession } from '#/data/session/session.ts';

export const Route = createFileRoute('/profile/$id/_tabs/dogs')({
  loader: ({ context, params }) =>
    loadOrOffline(context.queryClient, dogsOfOwnerQueryOptions(params.id)),
  component: DogsTab,
});

function DogsTab() {
  const { id } = Route.useParams();
  const { userId } = useSession();
  const navigate = Route.useNavigate();
  const { data: dogs = [] } = useQuery(dogsOfOwnerQueryOptions(id));
  const { data: kept = [] } = useQuery({ ...keptDogsQueryOptions(), enabled: id === userId });
  return (
    <DogList
      ownerId={id}
      dogs={dogs}
      kept={kept}
      mine={id === userId}
      onAdded={(dogId) => void navigate({ to: '/profile/$id/dogs/$dogId', params: { id, dogId } })}
    />
  );
}
