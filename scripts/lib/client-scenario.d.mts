// Types of client-scenario.mjs, for the TypeScript that uses it.
export type Step = [
  name: string,
  work: (run: Record<string, unknown>) => unknown,
  options?: { content?: boolean },
];
export interface ScenarioRun {
  results: { step: string; content: boolean; result: unknown }[];
  words: Record<string, string>;
}
export declare const STEPS: Step[];
export declare function runScenario(options: {
  url: string;
  key: string;
  mailDomain?: string;
  steps?: Step[];
}): Promise<ScenarioRun>;
