// A question about the park that the user is visiting, such as 'Is there water?'. It is asked once per visit and answered with one
// tap.
import { CircleHelp } from 'lucide-react';
import { MINUTE_MS } from '../../../../../shared/durations.ts';
import { useNow } from '#/core/use-now.ts';
import { useRespondToParkQuestion } from '#/features/fact-answers/commands/respond-to-park-question.command.ts';
import { useParkQuestion } from '#/features/fact-answers/queries/park-question.ts';
import { type Translate, useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { FloatingCard } from '#/ui/floating-card.tsx';
import { useFloatingCard } from '#/ui/use-floating-card.ts';
import { Icon } from '#/ui/icon.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';
import { type ChoiceKey, isChoiceKey, PARK_FACTS } from '../../../../../shared/park-facts.ts';
import styles from './question-card.module.css';

/** By then the arrival animation has ended and the user has looked around. */
const QUESTION_AFTER_MINUTES = 5;

interface QuestionCardProps {
  visit: { check_in_id: string; started_at: string };
  /** Asks the user to accept the terms and the licence before their first fact. */
  agreed: () => Promise<boolean>;
}

export function QuestionCard({ visit, agreed }: QuestionCardProps) {
  const t = useT();
  const minutesThere = (useNow(MINUTE_MS) - Date.parse(visit.started_at)) / MINUTE_MS;
  const isSettled = minutesThere >= QUESTION_AFTER_MINUTES;
  const question = useParkQuestion(isSettled ? visit.check_in_id : undefined);
  const labels = question ? questionLabels(question.fact, t) : null;
  const isShown = useFloatingCard('question', isSettled && labels !== null);
  const answer = useRespondToParkQuestion();
  if (!isShown || !question || !labels) return null;

  /** @param value null if the user does not know */
  const onAnswer = async (value: string | null) => {
    if (value !== null && !(await agreed())) return;
    const { check_in_id: checkInId, park_id: parkId } = question;
    await answer.mutateAsync({ checkInId, parkId, value });
    if (value !== null) showSuccess(t('factAnswers.thanks'));
  };
  const submit = (value: string | null) => void onAnswer(value).catch(showError);

  return (
    <FloatingCard label={t('factAnswers.title')} className={styles.card}>
      <Icon of={CircleHelp} size={28} className={styles.icon} />
      <p className="strong">{t('factAnswers.youAreHere', { question: labels.question })}</p>
      <span className={styles.answers}>
        {labels.answers.map(({ value, label }) => (
          <Button key={value} variant="secondary" onClick={() => submit(value)}>
            {label}
          </Button>
        ))}
        <Button variant="quiet" onClick={() => submit(null)}>
          {t('factAnswers.dontKnow')}
        </Button>
      </span>
    </FloatingCard>
  );
}

/** Returns null for a fact that the server knows but this version of the app does not. */
function questionLabels(fact: string, t: Translate) {
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
