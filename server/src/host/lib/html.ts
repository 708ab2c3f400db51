// Escapes text for HTML, and renders the few pages outside the app. These pages load no other files and are never cached.
export const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

interface Page {
  language: string;
  direction: 'ltr' | 'rtl';
  /** HTML, like `body`. */
  title: string;
  style: string;
  body: string;
  status?: number;
  /** The sources of the policy's `form-action` directive. */
  forms?: string;
}

export const pageHeaders = (forms = "'none'") => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action ${forms}`,
});

export const page = ({ language, direction, title, style, body, status = 200, forms }: Page) =>
  new Response(
    `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{margin:2rem auto;padding:0 1rem;font:17px/1.45 system-ui;background:#fbf8f1;color:#1e2a25}
${style}</style></head>
<body><h1>${title}</h1>${body}</body></html>`,
    { status, headers: pageHeaders(forms) },
  );
