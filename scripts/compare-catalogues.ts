// Compares the whole catalogues of databases made from the schema files, by the steps, and from before the baseline.
// The first two pairs must be equal; the third lists what the baseline changed. The test is supabase/tests/schemas.test.ts.
import { serverModule } from './lib/server-module.ts';

interface Comparison {
  compareCatalogues(): Promise<{ lines: string[]; unequal: number }>;
}

const { compareCatalogues } = await serverModule<Comparison>('testing/compare-catalogues.ts');
const { lines, unequal } = await compareCatalogues();
console.log(lines.join('\n'));
process.exitCode = unequal === 0 ? 0 : 1;
