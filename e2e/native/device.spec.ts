// Device features in a shell: back button, haptics, location, share sheet, camera, insets, keyboard and status bar.
import { addDog, confirmCheckIn } from '../support/fixtures.ts';
import { ORIGIN, test } from '../support/native-shell.ts';
import { expect } from '../support/test.ts';
import { main, ready, openLink, pressBack } from '../support/native-driver.ts';

test('Back closes overlays, goes back, then home, then leaves the app', async ({ openShell }) => {
  const { page, device } = await openShell();
  await ready(device);
  // Even if there is nothing to go back to, the back button closes an open overlay instead of the app.
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await pressBack(device);
  await expect(page.getByRole('dialog')).toBeHidden();
  await openLink(device, 'packpark://parks');
  await expect(page).toHaveURL(`${ORIGIN}/parks`);
  await openLink(device, 'packpark://parks/1');
  await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await pressBack(device);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
  await pressBack(device);
  await expect(page).toHaveURL(`${ORIGIN}/parks`);
  await pressBack(device);
  await expect(page).toHaveURL(`${ORIGIN}/`);
  expect(device.count('App.exitApp')).toBe(0);
  await pressBack(device);
  await expect.poll(() => device.count('App.exitApp')).toBe(1);
});

test("a check-in gives haptic feedback, and a park is shared by the system's sheet with the site's link", async ({
  openShell,
  site,
}) => {
  const user = await site.user();
  const { page, device } = await openShell({ at: '/about', user });
  await ready(device);
  await openLink(device, 'packpark://parks/1');
  await page.getByRole('button', { name: 'Check in here' }).click();
  expect(device.count('Haptics.notification')).toBe(0);
  await confirmCheckIn(page).click();
  await expect.poll(() => device.count('Haptics.notification')).toBe(1);
  await page.getByRole('button', { name: 'Share', exact: false }).first().click();
  await page.getByRole('button', { name: 'More ways' }).click();
  await expect
    .poll(() => device.calls.find(({ name }) => name === 'Share.share')?.options.url)
    .toBe(`${site.url}/share/parks/1`);
});

test('the device provides the location; after a denial its settings are offered', async ({
  openShell,
}) => {
  const { page, device } = await openShell({
    prepare: (device) => {
      device.location = 'denied';
    },
  });
  await page.getByRole('button', { name: 'Show where I am' }).click();
  await expect(page.getByText('We couldn’t access your location.')).toBeVisible();
  await page.getByRole('button', { name: 'Open settings' }).click();
  await expect
    .poll(() => device.calls.find(({ name }) => name === 'NativeSettings.open')?.options)
    .toEqual({ optionAndroid: 'application_details', optionIOS: 'app' });
  device.location = 'granted';
  await device.emit('App', 'resume', {});
  await expect.poll(() => device.count('Geolocation.getCurrentPosition')).toBeGreaterThan(0);
});

test("the camera sets a dog's photo, or changes nothing when cancelled", async ({
  openShell,
  site,
}) => {
  const user = await site.user();
  const dogId = await addDog(user, 'Rex');
  const { page, device } = await openShell({ at: '/about', user });
  await ready(device);
  await openLink(device, `packpark://profile/${user.id}/dogs/${dogId}`);
  await page.getByRole('button', { name: 'Add a photo' }).click();
  device.responses['Camera.getPhoto'] = () => {
    throw new Error('User cancelled photos app');
  };
  await page.getByRole('button', { name: 'Choose from this device' }).click();
  await expect.poll(() => device.count('Camera.getPhoto')).toBe(1);
  await expect(page.getByRole('button', { name: 'Take a photo' })).toBeVisible();

  device.responses['Camera.getPhoto'] = () => ({
    webPath: `${ORIGIN}/icons/icon-512.png`,
    format: 'png',
  });
  await page.getByRole('button', { name: 'Take a photo' }).click();
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await expect(main(page).getByRole('img', { name: 'Photo of Rex' })).toBeVisible();
  expect(
    device.calls
      .filter(({ name }) => name === 'Camera.getPhoto')
      .map(({ options }) => options.source),
  ).toEqual(['PHOTOS', 'CAMERA']);
});

test('no content is under the notch or the home indicator', async ({ openShell }) => {
  const { page, context } = await openShell({ platform: 'ios' });
  const devtools = await context.newCDPSession(page);
  await devtools.send(
    'Emulation.setSafeAreaInsetsOverride' as never,
    { insets: { top: 47, bottom: 34, left: 0, right: 0 } } as never,
  );
  await page.getByRole('link', { name: 'Parks', exact: true }).click();
  const heading = main(page).getByRole('heading', { level: 1 });
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeGreaterThan(47);
  const lowest = async () => {
    const link = await page.getByRole('link', { name: 'Home', exact: true }).boundingBox();
    return link && link.y + link.height;
  };
  await expect.poll(lowest).toBeLessThanOrEqual(844 - 34);
});

test('the navbar makes room for the keyboard; the status bar follows the theme, or the device', async ({
  openShell,
}) => {
  const { page, device } = await openShell({ at: '/about' });
  await ready(device);
  const navbar = page.getByRole('navigation', { name: 'Main navigation' });
  await expect(navbar).toBeVisible();
  await device.emit('Keyboard', 'keyboardDidShow', { keyboardHeight: 300 });
  await expect(navbar).toBeHidden();
  await device.emit('Keyboard', 'keyboardDidHide', {});
  await expect(navbar).toBeVisible();

  const bars = () =>
    device.calls
      .filter(({ name }) => name === 'StatusBar.setStyle')
      .map(({ options }) => options.style);
  await expect.poll(bars).toEqual(['LIGHT']);
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await expect.poll(() => bars().at(-1)).toBe('DARK');
  for (const { options } of device.calls.filter(
    ({ name }) => name === 'StatusBar.setOverlaysWebView',
  ))
    expect(options).toEqual({ overlay: false });
  expect(device.count('StatusBar.setOverlaysWebView')).toBe(2);
  device.edgeToEdge = true;
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'light';
  });
  await expect.poll(() => bars().at(-1)).toBe('DEFAULT');
});
