// Maximum length of an image's longer side in pixels, in uploads and in storage; enough for a full screen.
export const MAX_IMAGE_SIDE = 1600;
