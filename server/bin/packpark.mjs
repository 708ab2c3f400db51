#!/usr/bin/env node
// `npx packpark <command>`: builds the server if it is stale, then runs the command in this process.
import { build, importCommands, staleParts } from './build.mjs';

if ((await staleParts(['server'])).length > 0 && !(await build('server', 'ignore')))
  process.exit(1);
const { main } = await importCommands();
await main(process.argv.slice(2));
