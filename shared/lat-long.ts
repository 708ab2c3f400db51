/** Coordinates in degrees (WGS 84). */
export interface LatLong {
  lat: number;
  long: number;
}
