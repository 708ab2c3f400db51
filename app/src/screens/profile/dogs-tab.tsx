// The dogs tab of a user's page.
import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { dogsOfOwnerQueryOptions, keptDogsQueryOptions } from '#/features/dogs/queries/dogs.ts';
import { DogList } from '#/features/dogs/components/dog-list.tsx';
import { MeetButton } from '#/features/friend-codes/components/meet-button.tsx';
import { useSession } from '#/data/session/session.ts';

const route = getRouteApi('/profile/$id/_tabs/dogs');

export function DogsTab() {
  const { id } = route.useParams();
  const { userId } = useSession();
  const navigate = route.useNavigate();
  const { data: dogs = [] } = useQuery(dogsOfOwnerQueryOptions(id));
  const { data: kept = [] } = useQuery({ ...keptDogsQueryOptions(), enabled: id === userId });
  const mine = id === userId;
  const first = mine && (dogs[0] ?? kept[0]);
  return (
    <>
      {first && <MeetButton dog={first} />}
      <DogList
        ownerId={id}
        dogs={dogs}
        kept={kept}
        mine={mine}
        onAdded={(dogId) =>
          void navigate({ to: '/profile/$id/dogs/$dogId', params: { id, dogId } })
        }
      />
    </>
  );
}
