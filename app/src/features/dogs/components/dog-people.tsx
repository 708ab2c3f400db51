// The people of a dog: its keepers and walkers, and what they and the owner can change.
import { useQuery } from '@tanstack/react-query';
import { Check, Link2, LogOut, UserMinus, X } from 'lucide-react';
import { useState } from 'react';
import { useChangeDogPeople } from '#/features/dogs/commands/change-dog-people.ts';
import { DogInviteForm } from '#/features/dogs/components/dog-invite-form.tsx';
import type { Dog } from '#/features/dogs/dog.ts';
import { dogPeopleQueryOptions, type DogPeople } from '#/features/dogs/queries/dog-people.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Switch } from '#/ui/checkbox.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { PersonList } from '#/entities/users/person-list.tsx';
import { announce } from '#/ui/announcements.ts';
import { showError } from '#/ui/toast.ts';

interface DogPeopleProps {
  dog: Dog;
  userId: string;
  /** Called when the user has left the list. */
  onLeft: () => void;
}

type Kept = DogPeople['people'][number];

export default function DogPeopleList({ dog, userId, onLeft }: DogPeopleProps) {
  const t = useT();
  const locale = useLocale();
  const { data, error, refetch } = useQuery(dogPeopleQueryOptions(dog.id));
  const change = useChangeDogPeople(dog.owner);
  const [asking, setAsking] = useState<{ what: 'remove' | 'handOver' | 'leave'; who: Kept } | null>(
    null,
  );
  if (data === undefined) return <Loading error={error} refetch={refetch} height="8rem" />;
  if (data === null) return <p>{t('dogs.page.notFound')}</p>;

  const { name } = dog;
  const mine = data.role === null;
  const me = data.people.find(({ id }) => id === userId);
  const run = (call: Parameters<typeof change.mutate>[0], done?: () => void) =>
    change.mutate(call, {
      onSuccess: () => done?.(),
      onError: showError,
      onSettled: () => setAsking(null),
    });
  const answer = (invite: string, accept: boolean, done?: () => void) =>
    run(
      (client) => client.rpc('answer_dog_invite', { p_invite_id: invite, p_accept: accept }),
      done,
    );
  const confirmed = () => {
    if (!asking) return;
    const ends = { p_dog_id: dog.id, p_user_id: asking.who.id };
    if (asking.what === 'handOver')
      run(
        (client) => client.rpc('hand_over_dog', ends),
        () => announce(t('dogPeople.handedOver', { name: asking.who.name })),
      );
    else
      run(
        (client) => client.rpc('end_dog_person', ends),
        asking.what === 'leave' ? onLeft : undefined,
      );
  };
  const noteOf = ({ role, ends_at, takes_over }: Kept) =>
    ends_at
      ? t('dogPeople.walkerUntil', {
          date: new Intl.DateTimeFormat(locale, DAY).format(new Date(ends_at)),
        })
      : t(takes_over ? 'dogPeople.takesOver' : `dogPeople.role.${role}`);

  return (
    <div className="column-3">
      <PersonList
        linked={false}
        people={[
          {
            ...data.owner,
            picture: avatarUrl(data.owner.picture),
            note: t('dogPeople.role.owner'),
          },
          ...data.people.map((who) => ({
            ...who,
            picture: avatarUrl(who.picture),
            note: noteOf(who),
            action: mine && who.takes_over && (
              <Button variant="secondary" onClick={() => setAsking({ what: 'handOver', who })}>
                {t('dogPeople.handOver')}
              </Button>
            ),
            tool: mine && (
              <IconButton
                icon={UserMinus}
                label={t('ui.named', { action: t('dogPeople.remove'), name: who.name })}
                onClick={() => setAsking({ what: 'remove', who })}
              />
            ),
          })),
          ...data.invites.map(({ id, role, requested_by, picture }) => ({
            id,
            name: requested_by ?? t('dogPeople.link'),
            picture: avatarUrl(picture),
            note: t(requested_by ? `dogPeople.asks.${role}` : `dogPeople.role.${role}`),
            action: requested_by && (
              <Button
                icon={Check}
                busy={change.isPending}
                onClick={() =>
                  answer(id, true, () =>
                    announce(
                      t('ui.named', { action: t(`dogPeople.role.${role}`), name: requested_by }),
                    ),
                  )
                }
              >
                {t('dogPeople.confirm')}
              </Button>
            ),
            tool: (
              <IconButton
                icon={X}
                label={t('ui.named', {
                  action: t('dogPeople.withdraw'),
                  name: requested_by ?? t(`dogPeople.role.${role}`),
                })}
                onClick={() => answer(id, false)}
              />
            ),
          })),
        ]}
      />
      {mine && <DogInviteForm dog={dog} icon={Link2} />}
      {me?.role === 'keeper' && (
        <Switch
          label={t('dogPeople.offer', { name })}
          hint={t('dogPeople.offerHint')}
          checked={me.takes_over}
          onChange={(offer) =>
            run((client) => client.rpc('offer_to_take_over', { p_dog_id: dog.id, p_offer: offer }))
          }
        />
      )}
      {me && (
        <Button
          variant="quiet"
          icon={LogOut}
          directionalIcon
          onClick={() => setAsking({ what: 'leave', who: me })}
        >
          {t('dogPeople.leave', { name })}
        </Button>
      )}
      <ConfirmSheet
        open={asking !== null}
        onClose={() => setAsking(null)}
        danger
        busy={change.isPending}
        title={t(`dogPeople.${asking?.what ?? 'leave'}Title`, {
          name: asking?.what === 'leave' ? name : (asking?.who.name ?? ''),
        })}
        text={t(`dogPeople.${asking?.what ?? 'leave'}Text`, { name })}
        confirmLabel={
          asking?.what === 'leave'
            ? t('dogPeople.leave', { name })
            : t(`dogPeople.${asking?.what ?? 'remove'}`)
        }
        onConfirm={confirmed}
      />
    </div>
  );
}
