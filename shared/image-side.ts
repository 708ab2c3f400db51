// The longest side of a stored image in pixels: what the app uploads, the server keeps and a full screen shows.
export const MAX_IMAGE_SIDE = 1600;
