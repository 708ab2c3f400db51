// Runs encodeImage in a worker, because a 12-megapixel photo would freeze the page.
import { encodeImage, type EncodeOptions } from '#/platform/images/encode-image.ts';

addEventListener('message', (event: MessageEvent<{ file: Blob; options: EncodeOptions }>) => {
  encodeImage(event.data.file, event.data.options).then(
    (image) => postMessage({ image }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});
