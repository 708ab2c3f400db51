// Native photo picker. Browsers use a file input instead.
export type PhotoSource = 'camera' | 'gallery';

/** Translated labels of the native dialog that offers both sources. */
interface PhotoQuestion {
  title: string;
  camera: string;
  gallery: string;
  cancel: string;
}

/** Larger than any image that is shown; the app scales it down again before the upload. */
const MAX_SIDE = 2560;

/** Null if the user cancels or denies permission. @throws on other errors of the device */
export async function takePhoto(from: PhotoSource | PhotoQuestion): Promise<File | null> {
  const { Camera, CameraResultType, CameraSource } = await import('@capacitor/camera');
  let path: string | undefined;
  try {
    const photo = await Camera.getPhoto({
      ...(typeof from === 'object'
        ? {
            source: CameraSource.Prompt,
            promptLabelHeader: from.title,
            promptLabelPicture: from.camera,
            promptLabelPhoto: from.gallery,
            promptLabelCancel: from.cancel,
          }
        : { source: from === 'camera' ? CameraSource.Camera : CameraSource.Photos }),
      resultType: CameraResultType.Uri,
      quality: 90,
      width: MAX_SIDE,
      height: MAX_SIDE,
      correctOrientation: true,
      saveToGallery: false,
    });
    path = photo.webPath;
  } catch (error) {
    // The plug-in reports cancellation and denied permission only through the error message.
    if (error instanceof Error && /cancel|denied|no image picked/i.test(error.message)) return null;
    throw error;
  }
  if (!path) return null;
  const blob = await (await fetch(path)).blob();
  return new File([blob], 'photo', { type: blob.type || 'image/jpeg' });
}
