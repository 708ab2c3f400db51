// Saves the theme and the language in the account: for its notifications and mails, and for the person's other devices.
import * as v from 'valibot';
import { currentLanguage, isLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import { showOwnUser } from '#/data/session/session.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { THEMES } from '../../../../../shared/enums.ts';

const appearanceInput = v.object({
  language: v.exactOptional(v.custom<Language>(isLanguage)),
  /** Null follows the device. */
  theme: v.exactOptional(v.nullable(v.picklist(THEMES))),
});

type AppearanceInput = v.InferOutput<typeof appearanceInput>;

export const command = defineCommand<AppearanceInput, AppearanceInput>({
  name: 'save_appearance',
  input: appearanceInput,
  // Doing it twice changes nothing, so that it needs no key.
  async send(input, { client, userId, ask }) {
    await ask(client.from('users').update(input).eq('id', userId));
    return input;
  },
  changes: () => [],
  replaces: (input, queued) => Object.keys(queued).every((name) => name in input),
  show(_queryClient, input) {
    // A language that was chosen after it is on its way, too.
    if (input.language === undefined || input.language === currentLanguage()) showOwnUser(input);
    return [];
  },
});
