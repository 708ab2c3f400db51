// Sharing a link: to the clipboard, to WhatsApp, or the device's own way where it has one.
import { nativePlatform } from '#/platform/native.ts';

export type SharedLink = Required<Omit<ShareData, 'files'>>;

export const hasSystemShare = (): boolean =>
  nativePlatform() !== null || typeof navigator.share === 'function';

/** Opens the device's share sheet. Call it from a tap: browsers do not allow it without one. @returns false where that failed */
export async function shareBySystem(link: SharedLink): Promise<boolean> {
  try {
    // Android's web view has no navigator.share.
    if (!nativePlatform()) await navigator.share(link);
    else {
      const { Share } = await import('@capacitor/share');
      await Share.share({ ...link, dialogTitle: link.title });
    }
    return true;
  } catch (error) {
    return error instanceof Error && (error.name === 'AbortError' || /cancel/i.test(error.message));
  }
}

/** Where WhatsApp asks whom to send it to, in its app or on its site. */
export const whatsAppLink = ({ text, url }: SharedLink): string =>
  `https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}`;

/** Whether the text is on the clipboard now. Call it from a tap. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not a secure context (a LAN address), or permission refused.
    const field = Object.assign(document.createElement('textarea'), { value: text });
    field.style.cssText = 'position:fixed;opacity:0';
    // In a modal, nothing outside of it can be selected.
    (document.querySelector('dialog[open]:last-of-type') ?? document.body).append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
}
