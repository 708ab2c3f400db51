// The layout of all login screens: a dog, a title, one column.
import type { ReactNode } from 'react';
import { Card } from '#/ui/card.tsx';
import { DogDrawing, type DogPose } from '#/ui/dog-drawing.tsx';
import { Page } from '#/ui/page.tsx';
import { useTitle } from '#/ui/use-title.ts';
import styles from './auth-frame.module.css';

interface AuthFrameProps {
  title: string;
  text?: ReactNode;
  pose?: DogPose;
  /** False if the screen has only buttons and no fields. */
  card?: boolean;
  children: ReactNode;
}

export function AuthFrame({
  title,
  text,
  pose = 'sitting',
  card = true,
  children,
}: AuthFrameProps) {
  useTitle(title);
  return (
    <Page width="narrow" className={styles.page}>
      <header className={styles.header}>
        <DogDrawing pose={pose} size={120} />
        <h1>{title}</h1>
        {text && <p className="soft">{text}</p>}
      </header>
      {card ? (
        <Card className={styles.card}>{children}</Card>
      ) : (
        <div className="column-4">{children}</div>
      )}
    </Page>
  );
}
