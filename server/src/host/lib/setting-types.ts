// Validation of settings by type, with the error messages for invalid values.
import * as v from 'valibot';

export const optionalText = v.optional(v.pipe(v.string(), v.trim(), v.minLength(1)));
/** Returns the email address in `Name <address>`, otherwise the text itself. */
export const emailAddressOf = (sender: string) => /<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender;

export const mailSender = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (sender) => v.is(v.pipe(v.string(), v.email()), emailAddressOf(sender)),
    'must be an email address, or a name with one: Town <post@example.org>',
  ),
);
export const httpUrl = v.pipe(
  v.string(),
  v.trim(),
  v.url('must be an http(s) address'),
  v.regex(/^https?:\/\//, 'must be an http(s) address'),
);
export const wholeNumber = (low: number, high: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, `must be a whole number from ${low} to ${high}`),
    v.transform(Number),
    v.minValue(low, `must be a whole number from ${low} to ${high}`),
    v.maxValue(high, `must be a whole number from ${low} to ${high}`),
  );
export const list = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((item) => item.trim())),
  v.transform((items) => items.filter((item) => item !== '')),
);
export const flag = v.pipe(
  v.picklist(['true', 'false'], 'must be true or false'),
  v.transform((text) => text === 'true'),
);
