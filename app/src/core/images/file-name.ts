// Names of uploaded files: plain ASCII, recognisable, and never the same twice.
import { newUuid } from '#/core/uuid.ts';

const LONGEST_STEM = 40;

/**
 * A storage-safe unique name for an upload: Hebrew letters, spaces and whatever else is not plain become a dash.
 * @param original the name on the person's device
 * @param extension of what is uploaded, without a dot (the picture was converted)
 * @param id replaced in tests only
 */
export function uploadName(original: string, extension: string, id = newUuid()): string {
  const stem = original
    .replace(/\.[^./]*$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, LONGEST_STEM)
    .replace(/^-|-$/g, '');
  return `${stem === '' ? 'photo' : stem}-${id}.${extension}`;
}
