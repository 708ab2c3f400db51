// The carers of a dog (keepers and walkers), and what they and the owner can change.
import { useQuery } from '@tanstack/react-query';
import { Check, Link2, LogOut, UserMinus, X } from 'lucide-react';
import { useState } from 'react';
import { useChangeDogCarers } from '#/features/dogs/commands/change-dog-carers.ts';
import { DogInviteForm } from '#/features/dogs/components/dog-invite-form.tsx';
import type { Dog } from '#/features/dogs/dog.ts';
import { dogCarersQueryOptions, type DogCarers } from '#/features/dogs/queries/dog-carers.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Switch } from '#/ui/checkbox.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { UserList } from '#/entities/users/user-list.tsx';
import { announce } from '#/ui/announcements.ts';
import { showError } from '#/ui/toast.ts';

interface DogCarersProps {
  dog: Dog;
  userId: string;
  /** Called when the user has ended their own role for the dog. */
  onLeft: () => void;
}

type Kept = DogCarers['carers'][number];

export default function DogCarersList({ dog, userId, onLeft }: DogCarersProps) {
  const t = useT();
  const locale = useLocale();
  const { data, error, refetch } = useQuery(dogCarersQueryOptions(dog.id));
  const change = useChangeDogCarers(dog.owner);
  const [asking, setAsking] = useState<{ what: 'remove' | 'handOver' | 'leave'; who: Kept } | null>(
    null,
  );
  if (data === undefined) return <Loading error={error} refetch={refetch} height="8rem" />;
  if (data === null) return <p>{t('dogs.page.notFound')}</p>;

  const { name } = dog;
  const mine = data.role === null;
  const me = data.carers.find(({ id }) => id === userId);
  const run = (call: Parameters<typeof change.mutate>[0], done?: () => void) =>
    change.mutate(call, {
      onSuccess: () => done?.(),
      onError: showError,
      onSettled: () => setAsking(null),
    });
  const answer = (invite: string, accept: boolean, done?: () => void) =>
    run(
      (client) => client.rpc('respond_to_dog_invite', { p_invite_id: invite, p_accept: accept }),
      done,
    );
  const confirmed = () => {
    if (!asking) return;
    const ends = { p_dog_id: dog.id, p_user_id: asking.who.id };
    if (asking.what === 'handOver')
      run(
        (client) => client.rpc('hand_over_dog', ends),
        () => announce(t('dogCarers.handedOver', { name: asking.who.name })),
      );
    else
      run(
        (client) => client.rpc('remove_dog_carer', ends),
        asking.what === 'leave' ? onLeft : undefined,
      );
  };
  const noteOf = ({ role, ends_at, takes_over }: Kept) =>
    ends_at
      ? t('dogCarers.walkerUntil', {
          date: new Intl.DateTimeFormat(locale, DAY).format(new Date(ends_at)),
        })
      : t(takes_over ? 'dogCarers.takesOver' : `dogCarers.role.${role}`);

  return (
    <div className="column-3">
      <UserList
        linked={false}
        users={[
          {
            ...data.owner,
            picture: avatarUrl(data.owner.picture),
            note: t('dogCarers.role.owner'),
          },
          ...data.carers.map((who) => ({
            ...who,
            picture: avatarUrl(who.picture),
            note: noteOf(who),
            action: mine && who.takes_over && (
              <Button variant="secondary" onClick={() => setAsking({ what: 'handOver', who })}>
                {t('dogCarers.handOver')}
              </Button>
            ),
            rowAction: mine && (
              <IconButton
                icon={UserMinus}
                label={t('ui.named', { action: t('dogCarers.remove'), name: who.name })}
                onClick={() => setAsking({ what: 'remove', who })}
              />
            ),
          })),
          ...data.invites.map(({ id, role, requested_by, picture }) => ({
            id,
            name: requested_by ?? t('dogCarers.link'),
            picture: avatarUrl(picture),
            note: t(requested_by ? `dogCarers.asks.${role}` : `dogCarers.role.${role}`),
            action: requested_by && (
              <Button
                icon={Check}
                busy={change.isPending}
                onClick={() =>
                  answer(id, true, () =>
                    announce(
                      t('ui.named', { action: t(`dogCarers.role.${role}`), name: requested_by }),
                    ),
                  )
                }
              >
                {t('dogCarers.confirm')}
              </Button>
            ),
            rowAction: (
              <IconButton
                icon={X}
                label={t('ui.named', {
                  action: t('dogCarers.withdraw'),
                  name: requested_by ?? t(`dogCarers.role.${role}`),
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
          label={t('dogCarers.offer', { name })}
          hint={t('dogCarers.offerHint')}
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
          {t('dogCarers.leave', { name })}
        </Button>
      )}
      <ConfirmSheet
        open={asking !== null}
        onClose={() => setAsking(null)}
        danger
        busy={change.isPending}
        title={t(`dogCarers.${asking?.what ?? 'leave'}Title`, {
          name: asking?.what === 'leave' ? name : (asking?.who.name ?? ''),
        })}
        text={t(`dogCarers.${asking?.what ?? 'leave'}Text`, { name })}
        confirmLabel={
          asking?.what === 'leave'
            ? t('dogCarers.leave', { name })
            : t(`dogCarers.${asking?.what ?? 'remove'}`)
        }
        onConfirm={confirmed}
      />
    </div>
  );
}
