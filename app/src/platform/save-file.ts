// Saves a file through the share sheet or the browser's downloads.

/** @param address URL, data URL or blob URL of the file */
export function saveFile(address: string, name: string): void {
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
}

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  saveFile(address, name);
  URL.revokeObjectURL(address);
}

/** Downloads the image if the share sheet does not support files. Call it from a tap. */
export async function sharePicture(picture: Blob, name: string): Promise<void> {
  const files = [new File([picture], name, { type: picture.type })];
  if (!navigator.canShare?.({ files })) return saveBlob(picture, name);
  try {
    await navigator.share({ files });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}
