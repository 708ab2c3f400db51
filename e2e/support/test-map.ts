// The map file that tests draw: an invented town around the default place, and Monaco (see scripts/make-test-map.ts).
import path from 'node:path';

export const TEST_MAP = path.resolve(
  import.meta.dirname,
  '../../server/testing/fixtures/test-map.pmtiles',
);
