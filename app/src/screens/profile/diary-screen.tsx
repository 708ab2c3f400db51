// The user's pack diary, stored on this device.
import { getRouteApi } from '@tanstack/react-router';
import { DiaryView } from '#/features/diaries/components/diary-view.tsx';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { useT } from '#/i18n/i18n.ts';
import { PageHeader } from '#/ui/page-header.tsx';
import { Page } from '#/ui/page.tsx';

const route = getRouteApi('/profile/$id/diary');

export function DiaryScreen() {
  const t = useT();
  const { userId } = route.useRouteContext();
  const dogs = useCompanions(userId) ?? [];
  return (
    <Page width="narrow">
      <PageHeader
        title={t('diaries.title')}
        back={{ to: '/profile/$id', params: { id: userId } }}
      />
      <DiaryView userId={userId} dogNames={new Map(dogs.map(({ id, name }) => [id, name]))} />
    </Page>
  );
}
