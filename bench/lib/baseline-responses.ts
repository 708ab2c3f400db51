// The control of `live`: an HTTP server that always sends the same bytes.
import { serveBaseline } from './baseline-server.ts';

const body = Buffer.from(process.argv[2] ?? '{}');
const headers = {
  'content-type': 'application/json',
  'cache-control': 'public, max-age=0, s-maxage=3',
  'content-length': String(body.length),
};
process.stdout.write(new URL(await serveBaseline(headers, body)).port);
