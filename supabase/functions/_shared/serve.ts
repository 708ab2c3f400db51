// Shared by all functions: CORS, methods, and errors as JSON.

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, x-client-info, apikey, content-type',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
};

/** An error response; its message is shown to the client. */
export class HttpError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });

async function respond(
  method: 'GET' | 'POST',
  handler: (request: Request) => Promise<Response>,
  request: Request,
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
  if (request.method !== method) return json({ message: `Use ${method}` }, 405, { allow: method });
  try {
    return await handler(request);
  } catch (error) {
    if (error instanceof HttpError) return json({ message: error.message }, error.status);
    console.error(error instanceof Error ? error.stack : error);
    return json({ message: 'The function failed' }, 500);
  }
}

/** Registers `handler` for requests with this method. */
export function serve(
  method: 'GET' | 'POST',
  handler: (request: Request) => Promise<Response>,
): void {
  Deno.serve(async (request) => {
    const response = await respond(method, handler, request);
    for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value);
    return response;
  });
}
