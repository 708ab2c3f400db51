// The desk. Moderators get the queue, administrators also the team, imports and site, and towns their parks. Other users only see
// that they have no access.
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense } from 'react';
import {
  DeskTextContext,
  deskTextQueryOptions,
  fill,
  useDeskText,
} from '#/features/desk/desk-text.ts';
import {
  countsQueryOptions,
  roleQueryOptions,
  secondFactorQueryOptions,
} from '#/features/desk/queries/desk.ts';
import { CodeForm } from '#/features/desk/components/code-form.tsx';
import { QueueView } from '#/features/desk/components/queue-view.tsx';
import { useLanguage } from '#/i18n/i18n.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { useSession } from '#/data/session/session.ts';
import { badgeText } from '#/ui/badge.tsx';
import { ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading, combineQueries } from '#/ui/fetch-failed.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Page } from '#/ui/page.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { Tabs } from '#/ui/tabs.tsx';

const TABS = ['queue', 'decisions', 'users', 'team', 'site'] as const;
/** The imports have no tab and are opened from the site page. */
export const VIEWS = [...TABS, 'imports'] as const;
type DeskView = (typeof VIEWS)[number];
const ADMINISTRATOR_VIEWS: readonly DeskView[] = ['team', 'site', 'imports'];

/** All views except the queue are downloaded when opened. */
const LAZY: Record<Exclude<DeskView, 'queue'>, ComponentType<{ user: string | undefined }>> = {
  decisions: lazy(() => import('#/features/desk/components/decisions-view.tsx')),
  users: lazy(() => import('#/features/desk/components/users-view.tsx')),
  team: lazy(() => import('#/features/desk/components/team-view.tsx')),
  imports: lazy(() => import('#/features/desk/components/imports-view.tsx')),
  site: lazy(() => import('#/features/desk/components/site-view.tsx')),
};

const TownView = lazyPart(
  () => import('#/features/desk/components/town-view.tsx'),
  PartMissing,
  <Skeleton height="20rem" />,
);

interface DeskScreenProps {
  view: DeskView;
  /** The ID of the user whose page is open in the users view. */
  user: string | undefined;
}

export function DeskScreen({ view, user }: DeskScreenProps) {
  const language = useLanguage();
  const { userId } = useSession();
  const texts = useQuery(deskTextQueryOptions(language));
  const role = useQuery(roleQueryOptions(userId));
  const passed = useQuery({
    ...secondFactorQueryOptions(userId ?? ''),
    enabled: userId !== null && role.data === null,
  });
  const text = texts.data;
  // When a refetch fails, keep showing the loaded data, because the moderator may have an item open.
  if (!text || role.data === undefined)
    return (
      <Page>
        <Loading {...combineQueries(texts, role)} height="20rem" />
      </Page>
    );
  if (role.data === null)
    return (
      <Page>
        <PageHeader title={text.title} back={{ to: '/' }} />
        <EmptyState
          text={passed.data ? text.codeNext : text.closed}
          action={
            userId &&
            passed.data === false && (
              <ButtonLink to="/profile/$id/settings" params={{ id: userId }}>
                {text.setUp}
              </ButtonLink>
            )
          }
        />
        {userId && <CodeForm userId={userId} text={text} />}
      </Page>
    );
  return (
    <DeskTextContext value={text}>
      {role.data === 'town' ? (
        <TownView />
      ) : (
        <Inside view={view} user={user} isAdministrator={role.data === 'administrator'} />
      )}
    </DeskTextContext>
  );
}

function Inside({ view, user, isAdministrator }: DeskScreenProps & { isAdministrator: boolean }) {
  const text = useDeskText();
  const counts = useQuery(countsQueryOptions()).data ?? [];
  const waiting = counts.reduce((sum, one) => sum + one.waiting, 0);
  const isOpen = (one: DeskView) => isAdministrator || !ADMINISTRATOR_VIEWS.includes(one);
  const tabs = TABS.filter(isOpen);
  const View = view === 'queue' ? null : LAZY[view];
  return (
    <Page width="wide">
      {view === 'imports' ? (
        <PageHeader
          title={text.imports.link}
          back={{ to: '/desk/{-$view}', params: { view: 'site' } }}
        />
      ) : (
        <PageHeader title={text.title} />
      )}
      <Tabs
        label={text.title}
        of={text.title}
        tabs={tabs.map((one) => ({
          link: { to: '/desk/{-$view}', params: { view: one === 'queue' ? undefined : one } },
          label: text.views[one],
          exact: one === 'queue',
          ...(one === 'queue' &&
            waiting > 0 && {
              badge: {
                count: waiting,
                label: fill(text.queue.waiting, { count: badgeText(waiting) ?? 0 }),
              },
            }),
        }))}
      />
      {!isOpen(view) ? (
        <EmptyState text={text.administratorsOnly} />
      ) : View === null ? (
        <QueueView counts={counts} waiting={waiting} />
      ) : (
        <Suspense fallback={<Skeleton height="20rem" />}>
          <View user={user} />
        </Suspense>
      )}
    </Page>
  );
}
