// Names of uploaded files: plain ASCII, recognisable, and never the same twice.
import { newUuid } from '#/core/uuid.ts';

const MAX_STEM = 40;

/** Hebrew letters, spaces and whatever else is not plain become a dash. @param id given by tests only */
export function uploadName(original: string, extension: string, id = newUuid()): string {
  const stem = original
    .replace(/\.[^./]*$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, MAX_STEM)
    .replace(/^-|-$/g, '');
  return `${stem === '' ? 'photo' : stem}-${id}.${extension}`;
}
