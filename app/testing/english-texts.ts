// For all unit tests of the app: the English texts, so that codes of the server become the texts that people see.
import { setTexts } from '#/i18n/i18n.ts';
import english from '../../languages/en/app.json' with { type: 'json' };

setTexts('en', Object.fromEntries(Object.entries(english).map(([key, text]) => [key, () => text])));
