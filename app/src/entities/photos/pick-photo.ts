// One photo by a tap: in a browser the file field gives it, in a shell the device's camera or gallery.
import { translate } from '#/i18n/i18n.ts';
import { type PhotoSource, takePhoto } from '#/platform/camera.ts';
import { nativePlatform } from '#/platform/native.ts';
import { showProblem } from '#/ui/toast.ts';

/** `from`: where to; 'ask' lets the person choose. `field`: the browser's way; its own change event brings the file. */
export function pickPhoto(
  from: PhotoSource | 'ask',
  field: HTMLInputElement | null,
  onFile: (file: File) => void,
): void {
  if (!nativePlatform()) {
    field?.click();
    return;
  }
  const source =
    from === 'ask'
      ? {
          title: translate('ui.photo.add'),
          camera: translate('ui.photo.camera'),
          gallery: translate('ui.photo.upload'),
          cancel: translate('ui.sheet.close'),
        }
      : from;
  takePhoto(source).then(
    (file) => {
      if (file) onFile(file);
    },
    (error: unknown) => {
      console.warn('No photo:', error);
      showProblem(translate('ui.photo.unreadable'));
    },
  );
}
