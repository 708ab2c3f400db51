// A user's page: header, actions and tabs.
import { getRouteApi, linkOptions, Outlet } from '@tanstack/react-router';
import { CalendarPlus, Settings, Stamp, UserMinus } from 'lucide-react';
import { UserHeader } from '#/features/users/components/user-header.tsx';
import { useUserPage } from '#/features/users/queries/user-page.ts';
import { FriendButton, useUnfriend } from '#/features/friendships/components/friend-button.tsx';
import { useT } from '#/i18n/i18n.ts';
import { useSession } from '#/data/session/session.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { IconLink } from '#/ui/icon-button.tsx';
import { useInviteFriend } from '#/screens/profile/use-invite-friend.ts';
import { Page } from '#/ui/page.tsx';
import { Tabs } from '#/ui/tabs.tsx';

const route = getRouteApi('/profile/$id/_tabs');

export function ProfileScreen() {
  const t = useT();
  const { id } = route.useParams();
  const { userId, user } = useSession();
  const navigate = route.useNavigate();
  const { data } = useUserPage(id);
  const { unfriend, sheet } = useUnfriend({
    userId: id,
    name: data?.name ?? '',
    friendship: data?.friendship ?? 'none',
  });
  const { invite, sheet: inviteSheet } = useInviteFriend(id);
  if (!data) return null;
  const mine = id === userId;
  // Use the session's record for the user's own profile, so that changes are shown immediately.
  const page = mine && user ? { ...data, name: user.name, hidden: user.hidden } : data;
  const params = { id };
  const tabs = [
    { link: linkOptions({ to: '/profile/$id/dogs', params }), label: t('users.tabs.dogs') },
    { link: linkOptions({ to: '/profile/$id/reviews', params }), label: t('ui.reviews') },
    (mine || page.shows_friends) && {
      link: linkOptions({ to: '/profile/$id/friends', params }),
      label: t('ui.friends'),
    },
    (mine || page.shows_favourites) && {
      link: linkOptions({ to: '/profile/$id/favorites', params }),
      label: t('users.tabs.favourites'),
    },
    { link: linkOptions({ to: '/profile/$id/info', params }), label: t('users.tabs.info') },
  ].filter((tab) => tab !== false);
  return (
    <Page>
      <UserHeader
        page={page}
        mine={mine}
        onBlocked={() => void navigate({ to: '/users' })}
        settings={
          <IconLink
            to="/profile/$id/settings"
            params={params}
            icon={Settings}
            label={t('account.settings.title')}
          />
        }
        action={
          mine ? (
            <ButtonLink to="/profile/$id/diary" params={params} variant="secondary" icon={Stamp}>
              {t('diaries.title')}
            </ButtonLink>
          ) : (
            <>
              {unfriend &&
                (invite ? (
                  <Button variant="secondary" icon={CalendarPlus} onClick={invite}>
                    {t('friendships.button.invite')}
                  </Button>
                ) : (
                  <ButtonLink variant="secondary" icon={CalendarPlus} to="/parks">
                    {t('friendships.button.invite')}
                  </ButtonLink>
                ))}
              <FriendButton userId={id} name={page.name} friendship={page.friendship} />
            </>
          )
        }
        items={
          unfriend
            ? [
                {
                  label: t('friendships.button.unfriend'),
                  icon: UserMinus,
                  danger: true,
                  onSelect: unfriend,
                },
              ]
            : []
        }
      />
      {sheet}
      {inviteSheet}
      <Tabs label={t('users.tabs.label')} of={page.name} tabs={tabs} />
      <Outlet />
    </Page>
  );
}
