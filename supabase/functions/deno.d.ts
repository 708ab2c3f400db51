// The parts of the Deno global that our functions use. The one-machine host provides them, too.
declare const Deno: {
  serve(handler: (request: Request) => Response | Promise<Response>): unknown;
  env: { get(name: string): string | undefined };
};
