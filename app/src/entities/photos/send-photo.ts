// Sends a photo by a command: made ready on the device first.
import type { Area } from '#/core/images/crop.ts';
import { holdUnsaved } from '#/core/unsaved.ts';
import { newUuid } from '#/core/uuid.ts';
import { preparePhoto } from '#/entities/photos/prepare-photo.ts';
import type { Command } from '#/offline/command-queue/define-command.ts';
import { runCommand } from '#/offline/command-queue/run-command.ts';

export interface SentPhoto {
  file: File;
  /** The part of the picture that is kept. */
  area?: Area;
  onProgress?: (share: number) => void;
}

/**
 * What the server answers, or 'queued' without a network. @param inputOf the command's input, by the name of the file
 * @throws {AppError} status 413: too large, 415: no picture
 */
export function sendPhoto<Input, Answer>(
  command: Command<Input, Answer>,
  { file, area, onProgress }: SentPhoto,
  inputOf: (name: string) => Input,
): Promise<Answer | 'queued'> {
  const send = async () => {
    const { name, blob } = await preparePhoto(file, area && { area });
    // Names are never used twice, so that each try of a person is a command of its own.
    return runCommand(command, inputOf(name), { key: newUuid(), file: blob, onProgress });
  };
  return send().finally(holdUnsaved());
}
