// The device's browser above the app, for pages that must not be shown inside it, such as a provider's login. Only in the shells.

/** Resolves when the browser was closed, by the person or by `closeBrowser`. */
export async function openBrowser(url: string): Promise<void> {
  const { Browser } = await import('@capacitor/browser');
  await new Promise<void>((resolve, reject) => {
    const listening = Browser.addListener('browserFinished', () => {
      void listening.then((handle) => handle.remove());
      resolve();
    });
    Browser.open({ url }).catch(reject);
  });
}

/** Android closes it by itself when it leads back to the app. */
export async function closeBrowser(): Promise<void> {
  const { Browser } = await import('@capacitor/browser');
  await Browser.close().catch(() => undefined);
}
