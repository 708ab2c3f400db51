// The interface that each command of `packpark` implements.
import type { ParseArgsConfig } from 'node:util';

export interface Command {
  summary: string;
  help: string;
  options?: NonNullable<ParseArgsConfig['options']>;
  /** @throws StartError for errors that the operator can correct */
  run(args: {
    values: Record<string, unknown>;
    positionals: string[];
    appBuilt: Promise<boolean>;
  }): Promise<void>;
}
