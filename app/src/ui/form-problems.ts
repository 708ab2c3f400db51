// The first problem of each field, from a checked form: what the field shows beside itself.
import type * as v from 'valibot';
import type { MessageKey } from '#/i18n/i18n.ts';

export type FormProblems = Partial<Record<string, MessageKey>>;

/** @param issues of a schema whose messages are message keys */
export function formProblems(
  issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]],
): FormProblems {
  const problems: FormProblems = {};
  for (const issue of issues) {
    const field = issue.path?.[0]?.key;
    if (typeof field === 'string') problems[field] ??= issue.message as MessageKey;
  }
  return problems;
}
