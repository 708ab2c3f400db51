// Upload names: characters that are not allowed become a dash, and names are unique.
import { expect, it } from 'vitest';
import { uploadName } from '#/core/images/file-name.ts';

it.each([
  ['הכלב שלי 2.heic', '2-id.webp'],
  ['my dog.final.JPG', 'my-dog-final-id.webp'],
  ['../../etc/passwd', 'etc-passwd-id.webp'],
  ['كلب 🐕.png', 'photo-id.webp'],
  ['', 'photo-id.webp'],
  [`${'a'.repeat(200)}.png`, `${'a'.repeat(40)}-id.webp`],
])('uploadName: %s', (original, name) => {
  expect(uploadName(original, 'webp', 'id')).toBe(name);
});

it('uploadName: makes each name unique', () => {
  expect(uploadName('a.png', 'webp')).not.toBe(uploadName('a.png', 'webp'));
});
