// The first problem of each field, from a checked form: what the field shows beside itself.
import type * as v from 'valibot';
import { type MessageKey, useT } from '#/i18n/i18n.ts';

export type FormProblems = Partial<Record<string, MessageKey>>;

/** `issues`: of a schema whose messages are message keys. `fieldOf`: the field that shows what is wrong at a path of the checked value. */
export function formProblems(
  issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]],
  fieldOf: (path: readonly string[]) => string | undefined = ([first]) => first,
): FormProblems {
  const problems: FormProblems = {};
  for (const issue of issues) {
    const field = fieldOf((issue.path ?? []).map(({ key }) => String(key)));
    if (field !== undefined) problems[field] ??= issue.message as MessageKey;
  }
  return problems;
}

export function useProblem(problems: FormProblems): (field: string) => string | null {
  const t = useT();
  return (field) => {
    const key = problems[field];
    return key === undefined ? null : t(key);
  };
}
