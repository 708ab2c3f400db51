// Shares a link through the clipboard, WhatsApp or the share sheet.
import { nativePlatform } from '#/platform/native.ts';

export type SharedLink = Required<Omit<ShareData, 'files'>>;

export const hasSystemShare = (): boolean =>
  nativePlatform() !== null || typeof navigator.share === 'function';

/** Opens the share sheet. Call it from a tap, as browsers require. @returns false on failure */
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

/** Opens WhatsApp's contact picker, in the app or on its site. */
export const whatsAppLink = ({ text, url }: SharedLink): string =>
  `https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}`;

/** Call this in the handler of a tap, as browsers require. @returns true if the text was copied */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The context is insecure (http:// on a LAN) or permission was denied.
    const field = Object.assign(document.createElement('textarea'), { value: text });
    field.style.cssText = 'position:fixed;opacity:0';
    // Insert the field into the open modal, because nothing outside of it can be selected.
    (document.querySelector('dialog[open]:last-of-type') ?? document.body).append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
}
