// The map file that tests draw: an invented town around the default place, and Monaco.
import path from 'node:path';

export const TEST_MAP = path.resolve(
  import.meta.dirname,
  '../../testing/fixtures/test-map.pmtiles',
);
