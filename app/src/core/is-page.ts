// Whether an answer is a web page, where data or code was asked for.
export const isPage = ({ headers }: Pick<Response, 'headers'>): boolean =>
  headers.get('content-type')?.startsWith('text/html') ?? false;
