// What surrounds the page in a shell: the splash, the status bar in the theme's colours, and the keyboard.

export async function hideSplash(): Promise<void> {
  const { SplashScreen } = await import('@capacitor/splash-screen');
  await SplashScreen.hide();
}

/** @param paper the page's ground as #RRGGBB, for Androids whose bar has a colour of its own */
export async function showStatusBar(theme: 'light' | 'dark', paper: string): Promise<void> {
  const { StatusBar, Style } = await import('@capacitor/status-bar');
  // Its names are those of the ground, not of the letters.
  const style = theme === 'dark' ? Style.Dark : Style.Light;
  const isAndroid = 'androidBridge' in globalThis;
  if (!isAndroid || !/^#[0-9a-f]{6}$/i.test(paper)) return StatusBar.setStyle({ style });
  // The plug-in begins with the bar over the page, and older web views do not say how far it reaches.
  await StatusBar.setOverlaysWebView({ overlay: false });
  await StatusBar.setBackgroundColor({ color: paper });
  // From Android 15 on that changes nothing: the ground there is the device's, light or dark, and so must the letters be.
  const { color } = await StatusBar.getInfo();
  const isOurs = color?.toLowerCase() === paper.toLowerCase();
  return StatusBar.setStyle({ style: isOurs ? style : Style.Default });
}

export async function onKeyboard(callback: (open: boolean) => void): Promise<void> {
  const { Keyboard } = await import('@capacitor/keyboard');
  await Keyboard.addListener('keyboardDidShow', () => callback(true));
  await Keyboard.addListener('keyboardDidHide', () => callback(false));
}
