// Types of host-process.mjs, for the TypeScript that uses it.
export interface HostProcess {
  url: string;
  pid: number;
  /** What it has printed so far, for the message of a failed test. */
  output(): string;
  /** Sends a signal, SIGTERM unless given, and waits until the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}
export declare function startHostProcess(
  environment: Record<string, string>,
  script?: string[],
): Promise<HostProcess>;
