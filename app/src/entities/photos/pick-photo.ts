// Lets the user pick a photo: with the file input in a browser, with the camera or gallery in a native app.
import { translate } from '#/i18n/i18n.ts';
import { type PhotoSource, takePhoto } from '#/platform/camera.ts';
import { nativePlatform } from '#/platform/native.ts';
import { showProblem } from '#/ui/toast.ts';

/** @param from the source; 'ask' lets the user choose @param field a browser's file input, whose change event provides the file */
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
