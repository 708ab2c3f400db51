// The map file for tests: an invented town around the default location, and Monaco.
import path from 'node:path';

export const TEST_MAP = path.resolve(
  import.meta.dirname,
  '../../testing/fixtures/test-map.pmtiles',
);
