// Ring of a GeoJSON polygon.
export type Ring = [long: number, lat: number][];

export type Outline =
  | { type: 'Polygon'; coordinates: Ring[] }
  | { type: 'MultiPolygon'; coordinates: Ring[][] };

export const ringsOf = ({ type, coordinates }: Outline): Ring[] =>
  type === 'Polygon' ? coordinates : coordinates.flat();
