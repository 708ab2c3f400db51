// Messages between the map layer and the worker that renders its tiles and saves them on the device.
import type { Language } from '#/i18n/languages.ts';
import type { Palette } from '#/map/vector/palette.ts';
import type { Area } from '#/map/vector/offline-map.ts';

export interface TileStyle {
  language: Language;
  palette: Palette;
  /** Device pixels per CSS pixel. */
  ratio: number;
}

/** A tile of 256 × 256 CSS pixels. */
export interface TilePlace {
  z: number;
  x: number;
  y: number;
}

export type ToRenderer =
  /** `maxZoom` is the file's last zoom level. */
  | { type: 'open'; url: string; version: string; maxZoom: number; style: TileStyle }
  /** All rendered tiles are outdated. */
  | { type: 'style'; style: TileStyle }
  | { type: 'draw'; request: number; place: TilePlace }
  | { type: 'cancel'; request: number }
  | { type: 'measure'; request: number; areas: Area[] }
  | { type: 'save'; request: number; areas: Area[] }
  /** Stops saving; the caller deletes tiles that were already saved. */
  | { type: 'stop' };

export type FromRenderer =
  /** `bitmap` is null if the map has no data there. */
  | { type: 'drawn'; request: number; bitmap: ImageBitmap | null }
  | { type: 'failed'; request: number }
  /** Place labels have shifted, so these tiles (`x:y:z`) must be redrawn. */
  | { type: 'outdated'; tiles: string[] }
  | { type: 'progress'; request: number; done: number }
  /** Measured or saved; `bytes` is null if the areas are too large. */
  | { type: 'sized'; request: number; bytes: number | null }
  | { type: 'notSaved'; request: number; why: 'full' | 'network' | 'stopped' };
