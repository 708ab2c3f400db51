// supabase/schemas/languages.sql, made of shared/languages.ts and languages/*/database.json.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGE_CODES } from '../../shared/languages.ts';
import { ROOT } from './freshness.ts';

const WIDTH = 132;

/** The texts as JSON in lines of so many characters, where a text is not longer. */
function textsOf(code: string): string {
  const file = path.join(ROOT, `languages/${code}/database.json`);
  const texts = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
  const lines = [''];
  for (const piece of texts.split(/(?<=["\]}],)(?=")/)) {
    if (`${lines.at(-1)}${piece}`.length > WIDTH) lines.push('');
    lines[lines.length - 1] += piece;
  }
  return `$${code}$${lines.join('\n      ')}$${code}$::jsonb`;
}

const texts = () => {
  const [first, ...others] = LANGUAGE_CODES;
  return `function private.texts(p_language public.language) returns jsonb
language plpgsql immutable set search_path = ''
as $texts$
begin
  -- Each is a constant of its type: read once for a connection, not for each notification.
  return case p_language::text
${others.map((code) => `    when '${code}' then ${textsOf(code)}\n`).join('')}    else ${textsOf(first)}
  end;
end
$texts$;
`;
};

export const languageSchema =
  () => `-- The languages, and what the database itself writes in them: made by \`npm run generate\` from shared/languages.ts and languages/.

create type public.language as enum (${LANGUAGE_CODES.map((code) => `'${code}'`).join(', ')});

-- What is in the texts, for format(). Of notifications: %1$s is the sender, %2$s the park, %3$s the time and %4$s the hazard. Of
-- the desk (private.desk_text): %1$s is the park and %2$s the reason of a decision, %1$s the reason and %2$s the end of a measure,
-- %1$s how much waits and %2$s since when. The pattern of a time, for to_char, has a word in right-to-left languages: digits alone
-- would be laid out from left to right.
-- PL/pgSQL and a comparison as text: a new value of a type cannot be used in the transaction that adds it, and this way
-- the step that adds a language can bring its texts, too.
create ${texts()}comment on function private.texts is 'What the database says in a language, as one object with the same keys for each language.';
`;

/** Brings the database of a release to the present languages and texts. */
export const languageStep = () =>
  `${LANGUAGE_CODES.map((code) => `alter type public.language add value if not exists '${code}';\n`).join('')}create or replace ${texts()}`;
