// 'You are here: is there water?': one tap answers, and it never asks again on this visit.
import { CircleHelp, X } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { CardAbove } from '#/ui/card-above.tsx';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './question-card.module.css';

interface QuestionCardProps {
  question: string;
  answers: readonly { value: string; label: string }[];
  /** Null: the person does not know, or does not want to say. */
  onAnswer: (value: string | null) => void;
}

export function QuestionCard({ question, answers, onAnswer }: QuestionCardProps) {
  const t = useT();
  return (
    <CardAbove label={t('factAnswers.title')} className={styles.card}>
      <Icon of={CircleHelp} size={28} className={styles.icon} />
      <p className="strong">{t('factAnswers.youAreHere', { question })}</p>
      <IconButton icon={X} label={t('factAnswers.dontKnow')} onClick={() => onAnswer(null)} />
      <span className={styles.answers}>
        {answers.map(({ value, label }) => (
          <Button key={value} variant="secondary" onClick={() => onAnswer(value)}>
            {label}
          </Button>
        ))}
        <Button variant="quiet" onClick={() => onAnswer(null)}>
          {t('factAnswers.dontKnow')}
        </Button>
      </span>
    </CardAbove>
  );
}
