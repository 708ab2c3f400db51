// Shows a file in an <img> through an object URL.
import { type RefCallback, useCallback } from 'react';

/** Returns the ref of an <img>. It sets the image's source, and revokes the object URL when the file or the element changes. */
export const useBlobImage = (file: Blob | null | undefined): RefCallback<HTMLImageElement> =>
  useCallback(
    (image) => {
      if (!image || !file) return;
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
