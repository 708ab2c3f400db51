// Validation of the login and signup forms.
import * as v from 'valibot';
import { type FormProblems, formProblems } from '#/ui/form-problems.ts';

export type LoginMode = 'login' | 'signup' | 'forgot';

export interface Credentials {
  email: string;
  password: string;
  name: string;
  ageConfirmed: boolean;
}

const email = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('auth.form.emailMissing' as const),
  v.email('errors.email_address_invalid' as const),
);
const password = (missing: string) => v.pipe(v.string(), v.nonEmpty(missing));

const SCHEMAS = {
  login: v.object({ email, password: password('auth.form.passwordMissing') }),
  signup: v.object({
    name: v.pipe(v.string(), v.trim(), v.nonEmpty('ui.nameMissing' as const)),
    email,
    password: password('auth.form.newPasswordMissing'),
    ageConfirmed: v.literal(true, 'auth.form.ageMissing' as const),
  }),
  forgot: v.object({ email }),
};

/** Returns the first error of each field that the mode requires; empty if the form is valid. */
export function credentialProblems(mode: LoginMode, values: Credentials): FormProblems {
  const { issues } = v.safeParse(SCHEMAS[mode], values);
  return issues ? formProblems(issues) : {};
}

/** True if a required field is empty, which the form reports once above its fields. */
export const somethingMissing = (problems: FormProblems): boolean =>
  Object.values(problems).some((key) => key?.endsWith('Missing'));
