// The shape of a long text: sections of paragraphs and lists, in one file per language and page.
import type { Language } from '#/i18n/languages.ts';

export type InfoPage = 'about' | 'privacy' | 'terms' | 'accessibility' | 'delete-account';

/** A paragraph, or a list. `[text](/path)` is a link; what {…} may name is in inline.ts. */
export type InfoBlock = string | readonly string[];

interface InfoSection {
  /** Stable in all languages: the anchor of the section. */
  id: string;
  heading: string;
  body: readonly InfoBlock[];
}

export interface InfoText {
  title: string;
  lead: string;
  /** The day of a site's own text. */
  updated?: string;
  sections: readonly InfoSection[];
}

const modules = import.meta.glob<InfoText>('../../../../languages/*/info/*.json', {
  import: 'default',
});

/** @throws when the module cannot be fetched */
export async function loadInfoText(language: Language, page: InfoPage): Promise<InfoText> {
  const load = modules[`../../../../languages/${language}/info/${page}.json`];
  if (!load) throw new Error(`No text for ${page} in ${language}`);
  return load();
}
