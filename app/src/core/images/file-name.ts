// Names of uploaded files: ASCII, recognisable and unique.
import { newUuid } from '#/core/uuid.ts';

const MAX_STEM = 40;

/** Characters other than ASCII letters, digits, _ and - become a dash. @param id passed only by tests */
export function uploadName(original: string, extension: string, id = newUuid()): string {
  const stem = original
    .replace(/\.[^./]*$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, MAX_STEM)
    .replace(/^-|-$/g, '');
  return `${stem === '' ? 'photo' : stem}-${id}.${extension}`;
}
