// Native in-app browser, for pages that must not be shown in the web view, such as a provider's login.

/** Resolves when the browser is closed, by the user or by `closeBrowser`. */
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

/** Closes the browser on iOS. Android closes it automatically when it redirects to the app. */
export async function closeBrowser(): Promise<void> {
  const { Browser } = await import('@capacitor/browser');
  await Browser.close().catch(() => undefined);
}
