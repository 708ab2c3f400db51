// System UI around the page in native apps: splash screen, status bar and keyboard.

export async function hideSplash(): Promise<void> {
  const { SplashScreen } = await import('@capacitor/splash-screen');
  await SplashScreen.hide();
}

/** @param paper page background as #RRGGBB, for Android versions whose status bar has a colour */
export async function showStatusBar(theme: 'light' | 'dark', paper: string): Promise<void> {
  const { StatusBar, Style } = await import('@capacitor/status-bar');
  // The style is named after the background, not the text.
  const style = theme === 'dark' ? Style.Dark : Style.Light;
  const isAndroid = 'androidBridge' in globalThis;
  if (!isAndroid || !/^#[0-9a-f]{6}$/i.test(paper)) return StatusBar.setStyle({ style });
  // Do not let the bar overlay the page, as it does by default, because older web views do not report its height.
  await StatusBar.setOverlaysWebView({ overlay: false });
  await StatusBar.setBackgroundColor({ color: paper });
  // From Android 15 on, the colour is ignored and the background follows the device's theme, so the text must follow that, too.
  const { color } = await StatusBar.getInfo();
  const isOurs = color?.toLowerCase() === paper.toLowerCase();
  return StatusBar.setStyle({ style: isOurs ? style : Style.Default });
}

export async function onKeyboard(callback: (open: boolean) => void): Promise<void> {
  const { Keyboard } = await import('@capacitor/keyboard');
  await Keyboard.addListener('keyboardDidShow', () => callback(true));
  await Keyboard.addListener('keyboardDidHide', () => callback(false));
}
