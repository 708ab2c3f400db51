// The local inbox: without an SMTP server, it shows this host's mails to browsers on this machine only.
import { escapeHtml, page, pageHeaders } from '#/host/lib/html.ts';
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

const STYLE = `body{max-width:40rem}
article{margin:1rem 0;padding:1rem 1.25rem;background:#fff;border:1px solid #e6e0d3;border-radius:20px}h2{margin:0;font-size:17px}
p{margin:.25rem 0;color:#56635c;font-size:15px}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;font-size:15px}a{color:#1d7a4f}`;

const inbox = (body: string, status = 200) =>
  page({ language: 'en', direction: 'ltr', title: 'Inbox', style: STYLE, body, status });

const linked = (plain: string) =>
  escapeHtml(plain).replace(/https?:\/\/\S+/g, (link) => `<a href="${link}">${link}</a>`);

const article = (mail: LocalMail) => `<article>
<h2 dir="auto">${escapeHtml(mail.subject)}</h2>
<p>To ${escapeHtml(mail.recipient)}, <time>${mail.created_at.toISOString()}</time>, <a href="/inbox/${mail.id}">as it looks</a></p>
<pre dir="auto">${linked(mail.plain)}</pre></article>`;

/** Serves the list of mails at /inbox, and each mail at /inbox/<id>. */
export function createInbox(parts: HostParts): Service {
  return async (request, context) => {
    // Only direct requests from this machine are accepted. Requests through a proxy are rejected. The Host header must be a local
    // name, which prevents DNS rebinding.
    if (!context.loopback)
      return inbox(
        `<p>This page opens only on the machine that runs ${parts.product.name}.</p>`,
        403,
      );
    if (request.method !== 'GET') return inbox('', 405);
    const { pool } = parts.database;
    const id = /^\/inbox\/(\d{1,15})$/.exec(new URL(request.url).pathname)?.[1];
    if (id !== undefined) {
      const { rows } = await pool.query<LocalMail>('select * from auth.local_mails where id = $1', [
        id,
      ]);
      if (!rows[0]) return inbox('<p>There is no such mail.</p>', 404);
      return new Response(rows[0].html, { headers: pageHeaders() });
    }
    const { rows } = await pool.query<LocalMail>(
      'select * from auth.local_mails order by id desc limit 50',
    );
    const empty = '<p>No mail yet. Mails land here as long as SMTP_URL is not set.</p>';
    return inbox(rows.map(article).join('') || empty);
  };
}
