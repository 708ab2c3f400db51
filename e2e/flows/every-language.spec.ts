// The most frequent actions in the languages that no other test uses: accept a request, visit and review a park, set notifications.
import { reservePark, unfold } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';
import { WORDING } from '../support/populated-account.ts';
import { texts } from '../support/texts.ts';
import { navigateTo } from '../support/navigation.ts';

for (const language of ['he', 'ar'] as const) {
  test.describe(`in ${language}`, () => {
    test.use({ language });

    test('friends, check in and out, review, mute', async ({ site, pageFor }) => {
      const t = texts(language);
      const { title } = WORDING[language];
      const [me, friend] = [await site.user(), await site.user(WORDING[language].name)];
      await me.client.from('users').update({ language }).eq('id', me.id);
      await me.client.rpc('accept_terms', { p_licence: true });
      const other = await site.user();
      for (const { client } of [friend, other])
        await client.rpc('send_friend_request', { p_user_id: me.id });
      const page = await pageFor(me);
      const button = (key: string) => page.getByRole('button', { name: t(key), exact: true });

      await page.goto('/notifications');
      const request = page.getByRole('listitem').filter({ hasText: friend.name });
      await request.getByRole('button', { name: t('friendships.button.accept') }).click();
      await expect(request.getByText(t('notifications.accepted'))).toBeVisible();
      const unwanted = page.getByRole('listitem').filter({ hasText: other.name });
      await unwanted.getByRole('button', { name: t('friendships.button.decline') }).click();
      await expect(unwanted.getByText(t('notifications.declined'))).toBeVisible();
      await navigateTo(page, `/profile/${me.id}/friends`);
      await expect(page.getByRole('link', { name: friend.name })).toBeVisible();

      const { id: parkId } = await reservePark(site);
      await navigateTo(page, `/parks/${parkId}/`);
      await button('checkIns.button').click();
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('button', { name: t('ui.stepper.more') }).click();
      await sheet.getByRole('button', { name: t('checkIns.sheet.confirm'), exact: true }).click();
      const bar = page.getByRole('region', { name: t('checkIns.here.title') });
      await expect(bar).toBeVisible();
      // On the narrowest phone, no button's text breaks and no tab is off-screen.
      const size = page.viewportSize();
      await page.setViewportSize({ width: 360, height: 740 });
      await expect
        .poll(async () => ({
          broken: await bar
            .getByRole('button')
            .evaluateAll((all) => all.filter((one) => one.clientHeight > 50).length),
          hidden: await page
            .getByRole('navigation', { name: t('parks.tabs.label') })
            .evaluate((tabs) => tabs.scrollWidth - tabs.clientWidth),
        }))
        .toEqual({ broken: 0, hidden: 0 });
      if (size) await page.setViewportSize(size);
      await bar.getByRole('button', { name: t('checkIns.here.checkOut') }).click();
      const goodbye = page.getByRole('dialog', { name: t('checkIns.goodbye.title') });
      await goodbye.getByRole('button', { name: /4/ }).click();
      await button('reviews.oneTap.addText').click();
      const form = page.getByRole('dialog', { name: t('reviews.form.editTitle') });
      await expect(form.getByRole('radio').nth(3)).toBeChecked();
      await form.getByLabel(t('reviews.form.title')).fill(title);
      await form.getByRole('button', { name: t('ui.save') }).click();
      await expect(form).toBeHidden();
      await navigateTo(page, `/parks/${parkId}/reviews`);
      await expect(page.getByRole('article').filter({ hasText: title })).toContainText(
        t('reviews.card.mine'),
      );

      await navigateTo(page, `/profile/${me.id}/settings`);
      await unfold(page);
      const mute = page.getByRole('switch', { name: t('notifications.settings.muted') });
      const saved = page.waitForResponse(/\/rest\/v1\/notifications_preferences(?!.*select)/);
      await mute.click();
      await saved;
      await page.reload();
      await unfold(page);
      await expect(mute).toBeChecked();
    });
  });
}
