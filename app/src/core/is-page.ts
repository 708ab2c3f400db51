// Detects a web page in place of the requested data or code.
export const isPage = ({ headers }: Pick<Response, 'headers'>): boolean =>
  headers.get('content-type')?.startsWith('text/html') ?? false;
