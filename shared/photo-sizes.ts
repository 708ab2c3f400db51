// The sizes of photos in pixels.

/** Maximum length of the longer side, in uploads and in storage; enough for a full screen. */
export const MAX_PHOTO_SIDE = 1600;

/** Widths that the app requests; a few fixed widths improve cache hits. */
export const PHOTO_WIDTH = { thumb: 160, card: 320, wide: 960, full: MAX_PHOTO_SIDE } as const;
