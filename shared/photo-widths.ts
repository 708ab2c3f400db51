// Photo widths that the app requests; a few fixed widths improve cache hits.
import { MAX_IMAGE_SIDE } from './image-side.ts';

export const PHOTO_WIDTH = { thumb: 160, card: 320, wide: 960, full: MAX_IMAGE_SIDE } as const;
