// The messages between the map's layer and the worker that draws its tiles and keeps them on the device.
import type { Language } from '#/i18n/languages.ts';
import type { Palette } from '#/map/vector/palette.ts';
import type { Area } from '#/map/vector/offline-map.ts';

export interface TileStyle {
  language: Language;
  palette: Palette;
  /** Pixels of the screen for one of the page. */
  ratio: number;
}

/** A tile of 256 pixels of the page. */
export interface TilePlace {
  z: number;
  x: number;
  y: number;
}

export type ToDrawer =
  /** `maxZoom` is the last one that the file has. */
  | { type: 'open'; url: string; version: string; maxZoom: number; style: TileStyle }
  /** Everything that was drawn has to be drawn anew. */
  | { type: 'style'; style: TileStyle }
  | { type: 'draw'; request: number; place: TilePlace }
  | { type: 'cancel'; request: number }
  | { type: 'measure'; request: number; areas: Area[] }
  | { type: 'save'; request: number; areas: Area[] }
  /** Stops saving; the caller deletes what was fetched. */
  | { type: 'stop' };

export type FromDrawer =
  /** `bitmap` is null where the map has nothing there. */
  | { type: 'drawn'; request: number; bitmap: ImageBitmap | null }
  | { type: 'failed'; request: number }
  /** Names moved: these tiles (`x:y:z`) have to be drawn once more. */
  | { type: 'outdated'; tiles: string[] }
  | { type: 'progress'; request: number; done: number }
  /** Measured or saved; `bytes` is null where the areas are too large. */
  | { type: 'sized'; request: number; bytes: number | null }
  | { type: 'notKept'; request: number; why: 'full' | 'network' | 'stopped' };
