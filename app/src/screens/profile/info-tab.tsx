// The info tab of a user's page.
import { getRouteApi } from '@tanstack/react-router';
import { ContributionList } from '#/features/park-facts/components/contribution-list.tsx';
import { useUserPage } from '#/features/users/queries/user-page.ts';
import { OwnInfo } from '#/features/users/components/own-info.tsx';
import { useT } from '#/i18n/i18n.ts';

const route = getRouteApi('/profile/$id/_tabs/info');

export function InfoTab() {
  const t = useT();
  const { id } = route.useParams();
  const { userId } = route.useRouteContext();
  const { data: page } = useUserPage(id);
  if (!page) return null;
  if (id !== userId)
    return <p>{t(`users.info.friendship.${page.friendship}`, { name: page.name })}</p>;
  return (
    <>
      <OwnInfo key={page.name} name={page.name} />
      <ContributionList />
    </>
  );
}
