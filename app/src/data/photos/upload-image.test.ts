// What an upload asks of caches.
import { expect, test, vi } from 'vitest';
import { startBrowserOnNode } from '../../../testing/browser-on-node.ts';

test('a photo may be cached for 30 days', async () => {
  await startBrowserOnNode();
  const headers = new Map<string, string>();
  class Request extends EventTarget {
    upload = new EventTarget();
    status = 200;
    responseText = '{}';
    open() {}
    setRequestHeader(name: string, value: string) {
      headers.set(name, value);
    }
    send() {
      this.dispatchEvent(new Event('load'));
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  const { uploadImage } = await import('#/data/photos/upload-image.ts');
  const blob = new Blob(['a picture'], { type: 'image/webp' });
  await uploadImage({ bucket: 'users', path: 'a/b.webp', blob });
  expect(headers.get('cache-control')).toBe('max-age=2592000');
});
