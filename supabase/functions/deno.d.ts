// The parts of the Deno global that our functions use; the one-machine host provides the same ones.
declare const Deno: {
  serve(handler: (request: Request) => Response | Promise<Response>): unknown;
  env: { get(name: string): string | undefined };
};
