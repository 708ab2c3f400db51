// The question about a fact, and what can be answered, in words.
import { type ChoiceKey, isChoiceKey, PARK_FACTS } from '../../../../shared/park-facts.ts';
import type { Translate } from '#/i18n/i18n.ts';

interface QuestionWords {
  question: string;
  answers: { value: string; label: string }[];
}

/** Null for a fact that the server knows and this version of the app does not. */
export function questionWords(fact: string, t: Translate): QuestionWords | null {
  if (!isChoiceKey(fact)) return null;
  const values: readonly (typeof PARK_FACTS)[ChoiceKey][number][] = PARK_FACTS[fact];
  return {
    question: t(`factAnswers.question.${fact}`),
    answers: values.map((value) => ({
      value,
      label: t(
        fact === 'dog' && value === 'no'
          ? 'factAnswers.value.noDogs'
          : `factAnswers.value.${value}`,
      ),
    })),
  };
}
