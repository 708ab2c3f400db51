// The messages between the host and its image process. This is a separate file so that the host does not load libvips.

export interface Transformation {
  width: number | null;
  height: number | null;
  resize: 'cover' | 'contain' | 'fill';
  quality: number;
  format: 'origin' | 'webp';
}

export type ImageJob =
  | { type: 'clean'; file: string }
  | { type: 'transform'; bytes: Uint8Array; how: Transformation };

export type ImageResult =
  /** `source` is the detected type of the original, `mimetype` the type of `data`. */
  | { data: Uint8Array<ArrayBuffer>; mimetype: string; source: string }
  | { rejected: 'format'; format: string }
  | { rejected: 'unreadable' | 'too costly' };

/** Returns the output type for an image if the request specifies none. */
export const writtenType = (source: string): string =>
  source === 'image/jpeg' || source === 'image/png' ? source : 'image/webp';
