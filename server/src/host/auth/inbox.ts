// The local inbox: without an SMTP server, the mails of this host, shown to this machine only.
import { escapeHtml } from '#/host/lib/html.ts';
import type { Service } from '#/host/lib/http.ts';
import type { HostParts } from '#/host/host-parts.ts';

interface LocalMail {
  id: string;
  recipient: string;
  subject: string;
  html: string;
  plain: string;
  created_at: Date;
}

const page = (title: string, body: string, status = 200) =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{max-width:40rem;margin:2rem auto;padding:0 1rem;font:17px/1.45 system-ui;background:#fbf8f1;color:#1e2a25}
article{margin:1rem 0;padding:1rem 1.25rem;background:#fff;border:1px solid #e6e0d3;border-radius:20px}h2{margin:0;font-size:17px}
p{margin:.25rem 0;color:#56635c;font-size:15px}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;font-size:15px}a{color:#1d7a4f}</style>
</head><body><h1>${title}</h1>${body}</body></html>`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      },
    },
  );

const linked = (plain: string) =>
  escapeHtml(plain).replace(/https?:\/\/\S+/g, (address) => `<a href="${address}">${address}</a>`);

const article = (mail: LocalMail) => `<article>
<h2 dir="auto">${escapeHtml(mail.subject)}</h2>
<p>To ${escapeHtml(mail.recipient)}, <time>${mail.created_at.toISOString()}</time>, <a href="/inbox/${mail.id}">as it looks</a></p>
<pre dir="auto">${linked(mail.plain)}</pre></article>`;

/** The page /inbox, and /inbox/<id> for one mail as it looks. */
export function createInbox(parts: HostParts): Service {
  return async (request, context) => {
    // Loopback means: no proxy in between, and no foreign name for this machine (DNS rebinding).
    if (!context.loopback)
      return page(
        'Inbox',
        `<p>This page opens only on the machine that runs ${parts.product.name}.</p>`,
        403,
      );
    if (request.method !== 'GET') return page('Inbox', '', 405);
    const { pool } = parts.database;
    const id = /^\/inbox\/(\d{1,15})$/.exec(new URL(request.url).pathname)?.[1];
    if (id !== undefined) {
      const { rows } = await pool.query<LocalMail>('select * from auth.local_mails where id = $1', [
        id,
      ]);
      if (!rows[0]) return page('Inbox', '<p>There is no such mail.</p>', 404);
      const shown = page('', '');
      return new Response(rows[0].html, { headers: shown.headers });
    }
    const { rows } = await pool.query<LocalMail>(
      'select * from auth.local_mails order by id desc limit 50',
    );
    const empty = '<p>No mail yet. Mails land here as long as SMTP_URL is not set.</p>';
    return page('Inbox', rows.map(article).join('') || empty);
  };
}
