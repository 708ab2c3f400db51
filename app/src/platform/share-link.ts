// Sharing a link: the shell's way or navigator.share where there is one, else the clipboard, else an old-fashioned copy.
import { nativePlatform } from '#/platform/native.ts';
import type { ShareOutcome } from '#/platform/native-share.ts';

/** Call it from a tap: browsers allow neither way without one. */
export async function shareLink(link: {
  title: string;
  text: string;
  url: string;
}): Promise<ShareOutcome> {
  if (nativePlatform()) {
    const outcome = await import('#/platform/native-share.ts').then(({ shareNatively }) =>
      shareNatively(link),
    );
    if (outcome !== 'failed') return outcome;
  }
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(link);
      return 'shared';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
      // Desktop browsers may have the function and refuse: copy then.
    }
  }
  return (await copyText(link.url)) ? 'copied' : 'failed';
}

/** Whether the text is on the clipboard now. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not a secure context (a LAN address), or permission refused.
    const field = Object.assign(document.createElement('textarea'), { value: text });
    field.style.cssText = 'position:fixed;opacity:0';
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
}
