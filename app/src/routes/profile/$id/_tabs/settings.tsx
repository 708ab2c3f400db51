// My settings: privacy, looks, notifications, blocked people, security, my data.
import { createFileRoute, redirect } from '@tanstack/react-router';
import { Appearance } from '#/features/account/components/appearance.tsx';
import { OwnData } from '#/features/account/components/own-data.tsx';
import { PasswordForm } from '#/features/account/components/password-form.tsx';
import { PrivacySwitch } from '#/features/account/components/privacy-switch.tsx';
import { SecondFactor } from '#/features/account/components/second-factor.tsx';
import { SettingsSection } from '#/features/account/components/settings-section.tsx';
import { NotificationSettings } from '#/features/notifications/components/notification-settings.tsx';
import { BlockedList } from '#/features/users/components/blocked-list.tsx';
import { useT } from '#/i18n/i18n.ts';

export const Route = createFileRoute('/profile/$id/_tabs/settings')({
  beforeLoad: ({ context, params }) => {
    if (params.id !== context.userId) throw redirect({ to: '/profile/$id/dogs', params });
  },
  component: SettingsTab,
});

function SettingsTab() {
  const t = useT();
  const { userId } = Route.useRouteContext();
  return (
    <>
      <SettingsSection title={t('account.settings.privacy')}>
        <PrivacySwitch />
      </SettingsSection>
      <SettingsSection title={t('account.settings.appearance')}>
        <Appearance />
      </SettingsSection>
      <SettingsSection title={t('account.settings.notifications')}>
        <NotificationSettings userId={userId} />
      </SettingsSection>
      <SettingsSection title={t('account.settings.blocked')}>
        <BlockedList />
      </SettingsSection>
      <SettingsSection title={t('account.settings.password')}>
        <PasswordForm />
      </SettingsSection>
      <SettingsSection title={t('account.settings.factor')}>
        <SecondFactor />
      </SettingsSection>
      <SettingsSection title={t('account.settings.data')}>
        <OwnData userId={userId} />
      </SettingsSection>
    </>
  );
}
