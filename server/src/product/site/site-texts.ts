// Info pages of the operator that replace ours, such as terms under another law. They are validated at the start.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { ROOT } from '#/host/lib/paths.ts';
import { SettingsError } from '#/host/lib/host-settings.ts';
import type { Settings } from '#/product/settings.ts';

const textSchema = v.object({
  title: v.string(),
  lead: v.string(),
  updated: v.pipe(v.string(), v.isoDate()),
  sections: v.array(
    v.object({
      id: v.string(),
      heading: v.string(),
      body: v.array(v.union([v.string(), v.array(v.string())])),
    }),
  ),
});

/** @throws SettingsError if a page is unknown, malformed, or missing in one of the languages */
export function readSiteTexts({ SITE_TEXTS, DATA_DIR, LANGUAGES }: Settings) {
  if (!SITE_TEXTS) return {};
  const page = v.optional(
    v.object(Object.fromEntries(LANGUAGES.map((language) => [language, textSchema]))),
  );
  const file = path.resolve(ROOT, DATA_DIR, SITE_TEXTS);
  try {
    return v.parse(
      v.strictObject({
        about: page,
        privacy: page,
        terms: page,
        accessibility: page,
        'delete-account': page,
      }),
      JSON.parse(readFileSync(file, 'utf8')),
    );
  } catch (error) {
    const at = v.isValiError(error) ? ` at ${v.getDotPath(error.issues[0])}` : '';
    throw new SettingsError(
      `The setting SITE_TEXTS is wrong: ${file}${at}: ${(error as Error).message}`,
    );
  }
}
