// Prepares a photo on the device and sends it with a command.
import type { Area } from '#/core/images/crop.ts';
import { holdUnsaved } from '#/core/unsaved.ts';
import { newUuid } from '#/core/uuid.ts';
import { preparePhoto } from '#/platform/images/prepare-photo.ts';
import type { Command, Sender } from '#/offline/command-queue/define-command.ts';
import { runCommand } from '#/offline/command-queue/run-command.ts';

export interface SentPhoto {
  file: File;
  /** The area to crop to. */
  area?: Area;
  onProgress?: (share: number) => void;
}

/**
 * Returns the server's response, or 'queued' without a network. @param inputOf builds the command's input from the file name
 * @throws {AppError} status 413 if it is too large, 415 if it is not an image
 */
export function sendPhoto<Input, Result>(
  command: Command<Input, Result>,
  { file, area, onProgress }: SentPhoto,
  inputOf: (name: string) => Input,
): Promise<Result | 'queued'> {
  const send = async () => {
    const { name, blob } = await preparePhoto(file, area);
    // File names are unique, so each attempt is a separate command with a new idempotency key.
    return runCommand(command, inputOf(name), { key: newUuid(), file: blob, onProgress });
  };
  return send().finally(holdUnsaved());
}

/** The path of a park's photo in its bucket. */
export const parkPhotoPath = (parkId: number, name: string): string =>
  `${String(parkId)}/other/${name}`;

/** Uploads a park's photo. It is private until a moderator approves it and moves it to the public bucket. */
export async function uploadPendingPhoto(
  path: string,
  { userId, file, onProgress }: Sender,
): Promise<void> {
  // Loaded on demand, because most visitors of a park do not upload anything.
  const { uploadImage } = await import('#/entities/photos/upload-image.ts');
  await uploadImage({
    bucket: 'pending-photos',
    path,
    blob: file(),
    contributor: userId,
    onProgress,
  });
}
