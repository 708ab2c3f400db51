// The question about a fact, and what can be answered, in words.
import { CHOICE_KEYS, type ChoiceKey, PARK_FACTS } from '../../../../shared/park-facts.ts';
import type { Translate } from '#/i18n/i18n.ts';

const isChoice = (fact: string): fact is ChoiceKey => CHOICE_KEYS.some((key) => key === fact);

export interface QuestionWords {
  question: string;
  answers: { value: string; label: string }[];
}

/** Null for a fact that the server knows and this version of the app does not. */
export function questionWords(fact: string, t: Translate): QuestionWords | null {
  if (!isChoice(fact)) return null;
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
