// Hands a file to the person: by the device's share sheet, or saved by the browser.

/** @param address where the file is, also as data or a blob */
export function saveFile(address: string, name: string): void {
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
}

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  saveFile(address, name);
  URL.revokeObjectURL(address);
}

/** Where the share sheet takes no files, the browser saves it. Call it from a tap. */
export async function sharePicture(picture: Blob, name: string): Promise<void> {
  const files = [new File([picture], name, { type: picture.type })];
  if (!navigator.canShare?.({ files })) return saveBlob(picture, name);
  try {
    await navigator.share({ files });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}
