// The import of parks: what the app requests, and the report with the outcome of every row and warnings about the file.

import type english from '../languages/en/desk.json';

/** Maximum file size for imports in the browser. The operators' command has no limit. */
export const MAX_IMPORT_BYTES = 50 * 2 ** 20;

/** The formats that can be imported, with the usual extensions of their files. A file is recognised by its content. */
const IMPORT_FORMATS = {
  'Overpass JSON': ['.json'],
  GeoJSON: ['.geojson', '.geojsonl', '.json'],
  'Esri JSON': ['.json'],
  JSON: ['.json'],
  CSV: ['.csv', '.tsv', '.txt'],
} as const;
export type ImportFormat = keyof typeof IMPORT_FORMATS;
export const IMPORT_EXTENSIONS = [...new Set(Object.values(IMPORT_FORMATS).flat())];

/** 'preview' is a dry run, 'import' stops if there are warnings about the file, and 'import anyway' ignores them. */
export const IMPORT_STEPS = ['preview', 'import', 'import anyway'] as const;
export type ImportStep = (typeof IMPORT_STEPS)[number];

/** The file's options, as docs/import.md describes them for the command. */
export interface ImportRequest {
  step: ImportStep;
  /** The file's name. */
  file: string;
  source?: string | undefined;
  licence?: string | undefined;
  city?: string | undefined;
  encoding?: string | undefined;
  crs?: string | undefined;
  /** The content of a mapping file. */
  mapping?: string | undefined;
  skipUnknown: boolean;
  pending: boolean;
  /** The park's ID, by row ID, for rows that are known parks. */
  same: Record<string, number>;
  /** The IDs of rows that are new parks. */
  new: string[];
}

/** Rows that have the same reason. */
export interface RowGroup {
  count: number;
  /** The first of the rows. */
  rows: number[];
}

/** Description of the valid values: a message of the desk (imports.expectations) and its values. */
export interface Expected {
  type: keyof (typeof english)['imports']['expectations'];
  values?: Record<string, string | number>;
}

export interface RejectedRow {
  row: number;
  column: string;
  value: string;
  expected: Expected;
}

/** A row that may describe a known park and needs a decision. */
export interface Review {
  row: number;
  /** `id`: a known park has the same ID, but another name and place. `near`: a park from another source is at this place. */
  reason: 'id' | 'near';
  ref: string;
  name: string;
  /** The known park that the row may describe. */
  park: string;
  park_name: string;
  source: string;
  metres: number;
}

export interface Conflict {
  park: string;
  name: string;
  what: string;
  /** The corrected value, which the import does not overwrite. */
  current: string;
  imported: string;
}

export interface Vanished {
  park: string;
  name: string;
  ref: string;
}

/** A warning about the file as a whole, which concerns `count` of `total` parks. */
export interface Oddity {
  type: 'outside' | 'moved' | 'renamed' | 'rejected' | 'same place';
  count: number;
  total: number;
}

export interface ImportedPlace {
  row: number;
  name: string;
  lat: number;
  long: number;
  outcome: 'new' | 'changed' | 'unchanged' | 'needsReview';
}

export interface ImportReport {
  /** The number of rows in the file. Each of them is counted in exactly one of the next six numbers. */
  rows: number;
  new: number;
  changed: number;
  unchanged: number;
  leftOut: number;
  rejected: number;
  needsReview: number;
  rejectedRows: RejectedRow[];
  leftOutRows: (RowGroup & { reason: string })[];
  /** Unrecognised values. Parks that have one are imported without it. */
  dropped: (RowGroup & { column: string; value: string; expected: Expected })[];
  reviews: Review[];
  conflicts: Conflict[];
  vanished: Vanished[];
  /** Ignored columns. */
  unread: string[];
  /** The number of parks without a name, which are named after their street or "Dog park". */
  nameless: number;
  /** The number of public shelters, to which distances are measured. */
  shelters: number;
  /** The number of parks that become a second source of a known park. */
  joined: number;
  odd: Oddity[];
  /** The name of the site's area. */
  area: string;
  /** The first parks of the file. */
  places: ImportedPlace[];
  /** True if the import was written to the database. */
  written: boolean;
  /** The ID of the import; null if nothing was changed. */
  id: string | null;
}
