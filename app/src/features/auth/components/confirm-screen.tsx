// /confirm: the target of mailed links on the Supabase platform. Mail scanners open links, which would use up Supabase's own link.
// Mails therefore link to this page, and its button opens Supabase's link.
import { getRouteApi } from '@tanstack/react-router';
import { useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { Button } from '#/ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';

const route = getRouteApi('/confirm');

export function ConfirmScreen() {
  const t = useT();
  const { token_hash, type, redirect_to } = route.useSearch();
  const query = new URLSearchParams({ token: token_hash, type, redirect_to });
  return (
    <AuthFrame title={t('auth.confirm.title')} text={t('auth.confirm.text')}>
      <Button
        wide
        onClick={() => location.assign(`${getConfig().supabaseUrl}/auth/v1/verify?${query}`)}
      >
        {t('auth.confirm.button')}
      </Button>
    </AuthFrame>
  );
}
