// An invite to care for a dog: the guest accepts, and the owner has to confirm.
import { getRouteApi } from '@tanstack/react-router';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { withAge } from '#/data/session/age-prompt.ts';
import { useSession } from '#/data/session/session.ts';
import { LoginNeeded } from '#/entities/session/use-login-gate.tsx';
import { openDogInvite } from '#/features/dogs/queries/dog-carers.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Page } from '#/ui/page.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import { showError } from '#/ui/toast.ts';

const route = getRouteApi('/dog-invites/$secret');

export function DogInviteScreen() {
  const t = useT();
  const { status } = useSession();
  const { secret } = route.useParams();
  return (
    <Page width="narrow">
      <PageHeader title={t('dogCarers.page.title')} />
      {status === 'in' ? (
        <Offer secret={secret} />
      ) : (
        status !== 'unknown' && <LoginNeeded text={t('dogCarers.page.gate')} />
      )}
    </Page>
  );
}

function Offer({ secret }: { secret: string }) {
  const t = useT();
  const locale = useLocale();
  const queryClient = useQueryClient();
  const queryKey = ['dog-invite', secret];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => openDogInvite(secret),
    gcTime: 0,
  });
  const ask = useMutation({
    mutationFn: () => withAge(() => openDogInvite(secret, true)),
    onSuccess: (offer) => queryClient.setQueryData(queryKey, offer),
    onError: showError,
  });
  useAnnounce(
    data ? (data.requested ? t('dogCarers.page.asked', { owner: data.owner }) : '') : null,
  );
  if (data === undefined) return <Loading error={error} refetch={refetch} height="12rem" />;
  if (data === null)
    return (
      <EmptyState
        text={t('dogCarers.page.gone')}
        action={<ButtonLink to="/">{t('ui.toMap')}</ButtonLink>}
      />
    );
  const { dog, owner, role, ends_at, requested } = data;
  const date = ends_at ? new Intl.DateTimeFormat(locale, DAY).format(new Date(ends_at)) : '';
  if (requested) return <EmptyState pose="sitting" text={t('dogCarers.page.asked', { owner })} />;
  return (
    <EmptyState
      text={t(`dogCarers.page.${role}`, { owner, dog, date })}
      action={
        <>
          <p className="note">{t(`dogCarers.may.${role}`)}</p>
          <Button busy={ask.isPending} onClick={() => ask.mutate()}>
            {t('dogCarers.page.ask', { owner })}
          </Button>
        </>
      }
    />
  );
}
