// Makes supabase/templates/*.html and their subjects in supabase/config.toml from the mails of server/src/product/mail-templates.ts.
// Placeholders and branches are GoTrue's (Go's html/template).
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MailKind } from '../server/src/host/host-parts.ts';
import type * as authMails from '../server/src/product/mail-templates.ts';
import { LANGUAGE_CODES, type Language } from '../shared/languages.ts';
import { serverModule } from './lib/server-module.ts';

const { authMail, MAIL_KINDS } = await serverModule<typeof authMails>(
  'src/product/mail-templates.ts',
);

/** One text for each language, chosen when the mail is sent by what its receiver signed up in; else English. */
function branches(kind: MailKind, part: 'subject' | 'html') {
  const text = (language: Language) => authMail(kind, language)[part];
  const others = LANGUAGE_CODES.filter((language) => language !== 'en').map(
    (language) => `if eq .Data.language "${language}" }}${text(language)}`,
  );
  return `{{ ${others.join('{{ else ')}{{ else }}${text('en')}{{ end }}`;
}

export const mailTemplates = (): Record<string, string> =>
  Object.fromEntries(MAIL_KINDS.map((kind) => [`${kind}.html`, branches(kind, 'html')]));

/** The text of config.toml with each mail's subject and file set. */
export const withSubjects = (config: string): string =>
  MAIL_KINDS.reduce((text, kind) => {
    const section = new RegExp(`(\\[auth\\.email\\.template\\.${kind}\\]\n)(?:[^[\n].*\n)*`);
    if (!section.test(text)) throw new Error(`config.toml has no section for the mail ${kind}.`);
    // A literal string of TOML: nothing in it is escaped, and no subject has an apostrophe.
    return text.replace(
      section,
      (_, head: string) =>
        `${head}subject = '${branches(kind, 'subject')}'\ncontent_path = "./supabase/templates/${kind}.html"\n`,
    );
  }, config);

export async function writeMailTemplates(): Promise<void> {
  const supabase = path.resolve(import.meta.dirname, '../supabase');
  const folder = path.join(supabase, 'templates');
  await mkdir(folder, { recursive: true });
  for (const [name, html] of Object.entries(mailTemplates()))
    await writeFile(path.join(folder, name), html);
  const config = path.join(supabase, 'config.toml');
  await writeFile(config, withSubjects(await readFile(config, 'utf8')));
}
