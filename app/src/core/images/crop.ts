// Which part of a picture a crop shows: as large as its shape allows, or less when zoomed, never beyond the edges.

/** Where the person looks: the middle as shares (0 to 1) of the picture, zoom 1 shows as much as fits. */
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

/** @param aspect width by height of the result, and of the picture */
export function areaOf(crop: Crop, picture: number, aspect: number): Area {
  const zoom = within(crop.zoom, 1, MAX_ZOOM);
  const width = Math.min(1, aspect / picture) / zoom;
  const height = Math.min(1, picture / aspect) / zoom;
  return {
    left: within(crop.x - width / 2, 0, 1 - width),
    top: within(crop.y - height / 2, 0, 1 - height),
    width,
    height,
  };
}

/** The crop after its part was moved by shares of itself; it stops at the edges. */
export const moveCrop = (
  crop: Crop,
  { left, top, width, height }: Area,
  by: { x: number; y: number },
): Crop => ({
  ...crop,
  x: within(left + width / 2 + by.x * width, width / 2, 1 - width / 2),
  y: within(top + height / 2 + by.y * height, height / 2, 1 - height / 2),
});
