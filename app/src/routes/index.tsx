// The home map.
import { createFileRoute } from '@tanstack/react-router';
import { useT } from '#/i18n/i18n.ts';

export const Route = createFileRoute('/')({ component: HomeScreen });

function HomeScreen() {
  const t = useT();
  return <h1>{t('app.name')}</h1>;
}
