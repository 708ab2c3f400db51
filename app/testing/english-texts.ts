// Loads the English messages in all unit tests of the app, so error codes become messages.
import { setTexts } from '#/i18n/i18n.ts';
import english from '../../languages/en/app.json' with { type: 'json' };

setTexts('en', Object.fromEntries(Object.entries(english).map(([key, text]) => [key, () => text])));
