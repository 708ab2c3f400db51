// The area of an image that a crop selects: as large as the aspect ratio allows, smaller when zoomed, always inside the image.

/** Centre as a fraction (0 to 1) of the image's width and height; zoom 1 shows as much as fits. */
export interface Crop {
  x: number;
  y: number;
  zoom: number;
}

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export const WHOLE: Crop = { x: 0.5, y: 0.5, zoom: 1 };
export const MAX_ZOOM = 4;

const within = (value: number, least: number, most: number) =>
  Math.min(Math.max(value, least), most);

/** @param imageRatio aspect ratio (width / height) of the image @param aspect aspect ratio of the crop */
export function areaOf(crop: Crop, imageRatio: number, aspect: number): Area {
  const zoom = within(crop.zoom, 1, MAX_ZOOM);
  const width = Math.min(1, aspect / imageRatio) / zoom;
  const height = Math.min(1, imageRatio / aspect) / zoom;
  return {
    left: within(crop.x - width / 2, 0, 1 - width),
    top: within(crop.y - height / 2, 0, 1 - height),
    width,
    height,
  };
}

/** Moves the crop by fractions of its size; it stops at the edges. */
export const moveCrop = (
  crop: Crop,
  { left, top, width, height }: Area,
  by: { x: number; y: number },
): Crop => ({
  ...crop,
  x: within(left + width / 2 + by.x * width, width / 2, 1 - width / 2),
  y: within(top + height / 2 + by.y * height, height / 2, 1 - height / 2),
});
