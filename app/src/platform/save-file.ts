// Saves a file through the share sheet or the browser's downloads.

/** @param url URL, data URL or blob URL of the file */
export function saveFile(url: string, name: string): void {
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveFile(url, name);
  URL.revokeObjectURL(url);
}

/** Downloads the image if the share sheet does not support files. Call it from a tap. */
export async function shareImage(image: Blob, name: string): Promise<void> {
  const files = [new File([image], name, { type: image.type })];
  if (!navigator.canShare?.({ files })) return saveBlob(image, name);
  try {
    await navigator.share({ files });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}
