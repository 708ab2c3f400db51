// Auth mails in each language: one layout, and the texts of each mail. Placeholders ({{ }}) are replaced when a mail is sent.
// scripts/mail-templates.ts uses this file to generate the templates for the Supabase platform.
import type { MailKind } from '#/host/host-parts.ts';
import { authMailMessages } from '#/product/site-messages.ts';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';

/** The button is empty for a mail that contains only the code. */
type Texts = [subject: string, heading: string, sentence: string, button: string, note: string];

const mailsIn = (language: Language) =>
  authMailMessages(language).mails as unknown as Record<MailKind, Texts>;

export const MAIL_KINDS = Object.keys(mailsIn('en')) as MailKind[];

const font = "Rubik, 'Segoe UI', Roboto, Arial, sans-serif";

/** Returns the subject and the HTML of a mail, with placeholders. */
export function authMail(kind: MailKind, language: Language): { subject: string; html: string } {
  const [subject, heading, sentence, button, note] = mailsIn(language)[kind];
  const dir = LANGUAGES[language].direction;
  const action =
    button === ''
      ? ''
      : `<p style="margin:24px 0"><a href="{{ .ConfirmationURL }}" style="display:inline-block;padding:14px 28px;border-radius:12px;background:#1d7a4f;color:#ffffff;font-weight:600;text-decoration:none">${button}</a></p>
              <p style="margin:0 0 4px;color:#56635c;font-size:15px">${authMailMessages(language).orCode}</p>
              `;
  const html = `<!doctype html>
<html lang="${language}" dir="${dir}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light" />
    <title>${subject}</title>
  </head>
  <body dir="${dir}" style="margin:0;background:#fbf8f1">
    <table role="presentation" dir="${dir}" width="100%" cellpadding="0" cellspacing="0" style="background:#fbf8f1">
      <tr>
        <td align="center" style="padding:32px 16px">
          <table role="presentation" dir="${dir}" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #e6e0d3;border-radius:20px;text-align:start">
            <tr>
              <td style="padding:32px 28px;font-family:${font};font-size:17px;line-height:1.45;color:#1e2a25">
              <p style="margin:0 0 20px;color:#1d7a4f;font-weight:700">Packpark</p>
              <h1 style="margin:0 0 12px;font-size:28px;line-height:1.2">${heading}</h1>
              <p style="margin:0 0 16px">${sentence}</p>
              ${action}<p dir="ltr" style="margin:0 0 24px;font-size:28px;font-weight:700;letter-spacing:6px;text-align:${dir === 'rtl' ? 'right' : 'left'}">{{ .Token }}</p>
              <p style="margin:0;color:#56635c;font-size:13px">${note}</p>
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;
  return { subject, html };
}

/** Returns the texts of the page that a mail's link opens: the heading and the button of the mail. */
export function linkPage(kind: MailKind, language: Language): { title: string; button: string } {
  const [, title, , button] = mailsIn(language)[kind];
  return { title, button };
}
