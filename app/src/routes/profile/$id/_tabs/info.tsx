// About a person: mine to change, with what I added to parks; of others what they show.
import { createFileRoute } from '@tanstack/react-router';
import { ContributionList } from '#/features/park-facts/components/contribution-list.tsx';
import { useUserPage } from '#/features/users/queries/user-page.ts';
import { OwnInfo } from '#/features/users/components/own-info.tsx';
import { useT } from '#/i18n/i18n.ts';

export const Route = createFileRoute('/profile/$id/_tabs/info')({ component: InfoTab });

function InfoTab() {
  const t = useT();
  const { id } = Route.useParams();
  const { userId } = Route.useRouteContext();
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
