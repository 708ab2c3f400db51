// The page of a friend code, with the links of the login gate.
import { getRouteApi } from '@tanstack/react-router';
import { LoginLinks } from '#/entities/session/use-login-gate.tsx';
import { MeetPage } from '#/features/friend-codes/components/meet-page.tsx';
import { Page } from '#/ui/page.tsx';

const route = getRouteApi('/meet/$secret');

export function MeetScreen() {
  const { secret } = route.useParams();
  return (
    <Page width="narrow">
      <MeetPage
        key={secret}
        secret={secret}
        loginLinks={(onLogin) => <LoginLinks onLogin={onLogin} />}
      />
    </Page>
  );
}
