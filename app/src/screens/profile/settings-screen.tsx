// The user's settings: privacy, appearance, notifications, blocked users, security, devices, data.
import { getRouteApi } from '@tanstack/react-router';
import { Appearance } from '#/features/account/components/appearance.tsx';
import { EmailForm } from '#/features/account/components/email-form.tsx';
import { OwnData } from '#/features/account/components/own-data.tsx';
import { PasswordForm } from '#/features/account/components/password-form.tsx';
import { PrivacySwitches } from '#/features/account/components/privacy-switches.tsx';
import { SecondFactor } from '#/features/account/components/second-factor.tsx';
import { SessionList } from '#/features/account/components/session-list.tsx';
import {
  SettingsRow,
  SettingsRows,
  SettingsSection,
} from '#/features/account/components/settings-section.tsx';
import { NotificationSettings } from '#/features/notifications/components/notification-settings.tsx';
import { BlockedList } from '#/features/users/components/blocked-list.tsx';
import DeskLink from '#/features/desk/components/desk-link.tsx';
import { useT } from '#/i18n/i18n.ts';
import { PageHeader } from '#/ui/page-header.tsx';
import { Page } from '#/ui/page.tsx';

const route = getRouteApi('/profile/$id/settings');

export function SettingsScreen() {
  const t = useT();
  const { userId } = route.useRouteContext();
  return (
    <Page>
      <PageHeader
        title={t('account.settings.title')}
        back={{ to: '/profile/$id', params: { id: userId } }}
      />
      <SettingsSection title={t('shell.more.privacy')}>
        <PrivacySwitches />
      </SettingsSection>
      <SettingsRows>
        <SettingsRow title={t('account.settings.appearance')}>
          <Appearance />
        </SettingsRow>
        <SettingsRow title={t('ui.notifications')}>
          <NotificationSettings userId={userId} />
        </SettingsRow>
        <SettingsRow title={t('account.settings.blocked')}>
          <BlockedList />
        </SettingsRow>
      </SettingsRows>
      <SettingsRows>
        <SettingsRow title={t('auth.form.email')}>
          <EmailForm />
        </SettingsRow>
        <SettingsRow title={t('ui.password')}>
          <PasswordForm />
        </SettingsRow>
        <SettingsRow title={t('account.settings.factor')}>
          <SecondFactor />
        </SettingsRow>
        <SettingsRow title={t('account.settings.sessions')}>
          <SessionList />
        </SettingsRow>
      </SettingsRows>
      <DeskLink />
      <SettingsSection title={t('account.settings.data')}>
        <OwnData userId={userId} />
      </SettingsSection>
    </Page>
  );
}
