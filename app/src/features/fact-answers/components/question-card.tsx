// 'You are here: is there water?': one tap answers, and it never asks again on this visit.
import { CircleHelp, X } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './question-card.module.css';

interface QuestionCardProps {
  /** Translated. */
  question: string;
  answers: readonly { value: string; label: string }[];
  /** Null: the person does not know, or does not want to say. */
  onAnswer: (value: string | null) => void;
}

export function QuestionCard({ question, answers, onAnswer }: QuestionCardProps) {
  const t = useT();
  const card = useRef<HTMLElement>(null);
  useRoomBelow(card);
  return (
    <section ref={card} className={styles.card} aria-label={t('factAnswers.title')}>
      <Icon of={CircleHelp} size={28} className={styles.icon} />
      <p className={styles.text}>{t('factAnswers.youAreHere', { question })}</p>
      <IconButton
        icon={X}
        label={t('factAnswers.dontKnow')}
        onClick={() => {
          onAnswer(null);
        }}
      />
      <span className={styles.answers}>
        {answers.map(({ value, label }) => (
          <Button
            key={value}
            variant="secondary"
            onClick={() => {
              onAnswer(value);
            }}
          >
            {label}
          </Button>
        ))}
        <Button
          variant="quiet"
          onClick={() => {
            onAnswer(null);
          }}
        >
          {t('factAnswers.dontKnow')}
        </Button>
      </span>
    </section>
  );
}

/** Lets the page end above the card, however high its words make it. */
function useRoomBelow(card: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() => {
      style.setProperty('--card-above', `${String(card.current?.offsetHeight ?? 0)}px`);
    });
    if (card.current) sizes.observe(card.current);
    return () => {
      sizes.disconnect();
      style.removeProperty('--card-above');
    };
  }, [card]);
}
