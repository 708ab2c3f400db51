// Android's back button, which does nothing by itself once we listen. Only in the shells.

/** `goBack` answers false where there is nothing left to go back from: the app is left then. */
export async function onBackButton(goBack: () => boolean): Promise<void> {
  const { App } = await import('@capacitor/app');
  await App.addListener('backButton', () => {
    if (!goBack()) void App.exitApp();
  });
}
