// Widths at which the app asks for photos, so that caches meet the same few addresses.
import { MAX_IMAGE_SIDE } from './image-side.ts';

export const PHOTO_WIDTH = { thumb: 160, card: 320, wide: 960, full: MAX_IMAGE_SIDE } as const;
