// The page of a dog; its owner and keepers edit it here.
import { getRouteApi } from '@tanstack/react-router';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Pencil, Trash2, Users } from 'lucide-react';
import { keptDogsQueryOptions } from '#/features/dogs/queries/dogs.ts';
import { dogQueryOptions } from '#/features/dogs/queries/dog.ts';
import { useConsentLine } from '#/features/consents/use-consent-line.tsx';
import { useDeleteDog } from '#/features/dogs/commands/delete-dog.ts';
import { DogAge } from '#/features/dogs/components/dog-age.tsx';
import { DogStateSwitches } from '#/features/dogs/components/dog-state-switches.tsx';
import { DogFacts } from '#/features/dogs/components/dog-facts.tsx';
import { DogForm } from '#/features/dogs/components/dog-form.tsx';
import { DogPhotos } from '#/features/dogs/components/dog-photos.tsx';
import { draftOf } from '#/features/dogs/dog.ts';
import { MeetButton } from '#/features/friend-codes/components/meet-button.tsx';
import { OwnLostDog } from '#/features/lost-dogs/components/own-lost-dog.tsx';
import { lazyPart } from '#/core/lazy-part.ts';
import { hasNoResponse } from '#/i18n/errors.ts';
import { useT } from '#/i18n/i18n.ts';
import { breedName, useBreedNames } from '#/i18n/breeds/breeds.ts';
import { useSession } from '#/data/session/session.ts';
import { LocationPicker } from '#/screens/shared/location-picker.tsx';
import { Card } from '#/ui/card.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import type { LucideIcon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { PageHeader } from '#/ui/page-header.tsx';
import { Page } from '#/ui/page.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showProblem } from '#/ui/toast.ts';

const DogsMet = lazyPart(() => import('#/features/diaries/components/dogs-met.tsx'));
const VisitPhotos = lazyPart(() => import('#/features/visit-photos/components/visit-photos.tsx'));
const DogCarers = lazyPart(() => import('#/features/dogs/components/dog-carers.tsx'), PartMissing);

const route = getRouteApi('/profile/$id/dogs/$dogId');

export function DogScreen() {
  const t = useT();
  const { id, dogId } = route.useParams();
  const { userId } = useSession();
  const navigate = route.useNavigate();
  const breeds = useBreedNames();
  const { data: dog } = useSuspenseQuery(dogQueryOptions(dogId));
  const remove = useDeleteDog(id);
  const [open, setOpen] = useNamedOverlay<'edit' | 'delete' | 'carers'>('dog');
  const mine = dog.owner === userId;
  const kept = useQuery({ ...keptDogsQueryOptions(), enabled: userId !== null && !mine }).data;
  const role = kept?.find((one) => one.id === dogId)?.role;
  const edits = mine || role === 'keeper';
  const consent = useConsentLine(edits);
  const close = () => setOpen(null);
  const toDogs = (of: string) =>
    void navigate({ to: '/profile/$id/dogs', params: { id: of }, replace: true });
  const tool = (icon: LucideIcon, label: string, opens: NonNullable<typeof open>) => (
    <IconButton icon={icon} label={label} onClick={() => setOpen(opens)} />
  );

  return (
    <Page width="narrow">
      <PageHeader
        title={<bdi>{dog.name}</bdi>}
        documentTitle={dog.name}
        subtitle={
          <>
            <DogAge birthday={dog.birthday} /> · {breedName(breeds, dog.breed)}
          </>
        }
        back={{ to: '/profile/$id/dogs', params: { id } }}
        actions={
          <>
            {(mine || role) && tool(Users, t('dogCarers.title'), 'carers')}
            {edits && tool(Pencil, t('ui.edit'), 'edit')}
            {mine && tool(Trash2, t('dogs.page.delete'), 'delete')}
          </>
        }
      />
      <DogPhotos place={{ ownerId: dog.owner, dogId }} dogName={dog.name} mine={edits} />
      {(mine || role) && <MeetButton dog={dog} />}
      {edits && (
        <OwnLostDog
          dogId={dogId}
          name={dog.name}
          photo={dog.photo}
          consent={consent}
          picker={(slot) => <LocationPicker {...slot} startHere />}
        />
      )}
      <DogFacts dog={dog} />
      {userId && <VisitPhotos dogId={dogId} dogName={dog.name} />}
      {(mine || role) && (
        <Card as="section" aria-labelledby="dog-states">
          <h2 id="dog-states" className="text-3">
            {t('dogs.now.title')}
          </h2>
          <DogStateSwitches />
        </Card>
      )}
      {(mine || role) && userId && <DogsMet userId={userId} dogId={dogId} />}
      <Sheet open={open === 'carers'} onClose={close} title={t('dogCarers.title')}>
        <DogCarers dog={dog} userId={userId ?? ''} onLeft={() => toDogs(userId ?? '')} />
      </Sheet>
      <Sheet open={edits && open === 'edit'} onClose={close} title={t('ui.edit')}>
        <DogForm ownerId={dog.owner} dogId={dogId} initial={draftOf(dog)} onSaved={close} />
      </Sheet>
      <ConfirmSheet
        open={open === 'delete'}
        onClose={close}
        danger
        busy={remove.isPending}
        title={t('dogs.page.deleteTitle', { name: dog.name })}
        text={t('dogs.page.deleteText')}
        confirmLabel={t('dogs.page.delete')}
        onConfirm={() =>
          remove.mutate(dogId, {
            onSuccess: () => toDogs(id),
            onError: (error) =>
              showProblem(t(hasNoResponse(error) ? 'errors.offline' : 'errors.generic')),
          })
        }
      />
    </Page>
  );
}
