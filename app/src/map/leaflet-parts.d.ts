// Types for single Leaflet modules. The package ships them separately, but @types/leaflet declares only the whole library.
declare module 'leaflet/src/map/Map.js' {
  export { Map } from 'leaflet';
}
declare module 'leaflet/src/layer/Layer.js' {
  export { Layer } from 'leaflet';
}
declare module 'leaflet/src/layer/tile/GridLayer.js' {
  export { GridLayer } from 'leaflet';
}
declare module 'leaflet/src/layer/tile/TileLayer.js' {
  export { TileLayer } from 'leaflet';
}
declare module 'leaflet/src/geo/LatLng.js' {
  export { LatLng } from 'leaflet';
}
declare module 'leaflet/src/geo/crs/CRS.EPSG3857.js' {
  import type { CRS } from 'leaflet';
  export const EPSG3857: typeof CRS.EPSG3857;
}
declare module 'leaflet/src/dom/DomEvent.js' {
  import type { DomEvent } from 'leaflet';
  export const off: typeof DomEvent.off;
}
declare module 'leaflet/src/dom/DomUtil.js' {
  import type { DomUtil } from 'leaflet';
  export const setPosition: typeof DomUtil.setPosition;
}
// These modules register their handler with the map when imported.
declare module 'leaflet/src/map/handler/Map.DoubleClickZoom.js' {}
declare module 'leaflet/src/map/handler/Map.Drag.js' {}
declare module 'leaflet/src/map/handler/Map.Keyboard.js' {}
declare module 'leaflet/src/map/handler/Map.TouchZoom.js' {}
