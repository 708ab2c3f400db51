// The drawing at the top of a park's page, with as many dogs as are there; friends' dogs have photos.
import { avatarOf } from '#/entities/friendships/friends-there.ts';
import { useParkStatus } from '#/entities/parks/park-status.ts';
import type { Park } from '#/entities/parks/park.ts';
import { useParkCompany } from '#/features/park-pages/queries/park-company.ts';
import { Scene } from '#/screens/shared/scene.tsx';

export function Gate({ park }: { park: Park }) {
  const status = useParkStatus(park.id).data;
  const dogs = status?.dogs_now ?? 0;
  const company = useParkCompany(park.id, dogs);
  const avatars = (status?.friends_here ?? []).flatMap((friend) => avatarOf(friend) ?? []);
  return (
    <Scene
      place={{ lat: park.lat, long: park.long }}
      dogs={dogs}
      wide
      size={company?.size}
      avatars={avatars}
    />
  );
}
