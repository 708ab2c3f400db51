// A photo from the camera or the gallery by the device's own screens; in a browser a file field does it.
export type PhotoSource = 'camera' | 'gallery';

/** What the device's sheet says when it asks which of the two. */
interface PhotoQuestion {
  title: string;
  camera: string;
  gallery: string;
  cancel: string;
}

/** Larger than anything we show; the app makes it smaller still before it goes out. */
const MAX_SIDE = 2560;

/** Null when the person changed their mind or said no. @throws where the device fails */
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
    // The plug-in reports a cancel and a denied permission only in the message.
    if (error instanceof Error && /cancel|denied|no image picked/i.test(error.message)) return null;
    throw error;
  }
  if (!path) return null;
  const blob = await (await fetch(path)).blob();
  return new File([blob], 'photo', { type: blob.type || 'image/jpeg' });
}
