// Types of hostile-run.mjs, for the TypeScript that uses it.
export declare function hostileRun(options: {
  url: string;
  seed: number;
  requests: number;
  tokens: string[];
  bound?: number;
  connections?: number;
  from?: number;
  onProgress?: (done: number) => void;
}): Promise<{ failures: string[]; statuses: Record<string, number> }>;
