// Saves theme and language in the account, for its notifications and mails and for the user's other devices.
import * as v from 'valibot';
import { currentLanguage, isLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import { showOwnUser } from '#/data/session/session.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { executeCommand } from '#/offline/command-queue/use-command.ts';
import { THEMES } from '../../../../../shared/enums.ts';

const appearanceInput = v.object({
  language: v.exactOptional(v.custom<Language>(isLanguage)),
  /** Null uses the device's theme. */
  theme: v.exactOptional(v.nullable(v.picklist(THEMES))),
});

type AppearanceInput = v.InferOutput<typeof appearanceInput>;

export const command = defineCommand<AppearanceInput, unknown>({
  name: 'save_appearance',
  input: appearanceInput,
  // Needs no idempotency key, because repeating it has the same effect.
  async send(input, { client, userId, request }) {
    await request(client.from('users').update(input).eq('id', userId));
    // Do not show a saved language if the user has already chosen another one.
    if (input.language === undefined || input.language === currentLanguage()) showOwnUser(input);
  },
  invalidates: () => [],
  queue: {
    replaces: (input, queued) => Object.keys(queued).every((name) => name in input),
  },
});

export const saveAppearance = (input: AppearanceInput) => executeCommand(command, input);
