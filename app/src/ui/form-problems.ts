// The first problem of each field of a validated form.
import type * as v from 'valibot';
import { type MessageKey, useT } from '#/i18n/i18n.ts';

export type FormProblems = Partial<Record<string, MessageKey>>;

/**
 * @param issues issues of a schema whose messages are message keys
 * @param fieldOf returns the field that shows the problem at a path
 */
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

/** Returns the problems except those of fields that the user has changed. */
export const withoutFields = (problems: FormProblems, patch: object): FormProblems =>
  Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in patch)));

export function useProblem(problems: FormProblems): (field: string) => string | null {
  const t = useT();
  return (field) => {
    const key = problems[field];
    return key === undefined ? null : t(key);
  };
}
