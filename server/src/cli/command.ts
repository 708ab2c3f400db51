// What one command of the command line is made of.
import type { ParseArgsConfig } from 'node:util';

export interface Command {
  summary: string;
  help: string;
  options?: NonNullable<ParseArgsConfig['options']>;
  /** @throws StartError for what the operator can fix */
  run(args: {
    values: Record<string, unknown>;
    positionals: string[];
    appBuilt: Promise<boolean>;
  }): Promise<void>;
}
