// An error of the storage service is not copied as a photo.
import { expect, test, vi } from 'vitest';
import { fetchPhoto } from '#/entities/photos/fetch-photo.ts';

vi.mock('#/platform/config.ts', () => ({ getConfig: () => ({ supabaseUrl: '' }) }));

test('a photo that was deleted is not copied', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { status: 404 })));
  await expect(fetchPhoto('ann/rex.jpg')).rejects.toThrow('HTTP 404');
});
