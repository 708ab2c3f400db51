// Types of result-differences.mjs, for the TypeScript that uses it.
import type { ScenarioRun } from './client-scenario.mjs';

export declare function compareRuns(ours: ScenarioRun, theirs: ScenarioRun): string[];
