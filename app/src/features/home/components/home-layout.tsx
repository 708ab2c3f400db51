// The grid of the home screen: each element above the map has its own slot, so that none covers another.
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import styles from './home-layout.module.css';

interface HomeLayoutProps {
  /** Set it on the container; its descendants with `data-slot` are above the map. */
  ref: RefObject<HTMLDivElement | null>;
  title: string;
  onKeyDown: (event: KeyboardEvent) => void;
  top: ReactNode;
  filters: ReactNode;
  map: ReactNode;
  /** The sheet, prompt or notice; there is never more than one. */
  notice: ReactNode;
  /** Shown above the cards. */
  intro: ReactNode;
  cards: ReactNode;
  /** On a phone the cards are a list below a small map. */
  isListFirst: boolean;
  /** On a phone the notice replaces the cards. */
  isCardsBehind: boolean;
  /** Always shown with a mouse; on a touch screen only after the map has been touched. */
  zoom: ReactNode;
  tools: ReactNode;
}

/** Tab order: search, filters, the map with its markers, the notice, the cards, the buttons. */
export function HomeLayout(props: HomeLayoutProps) {
  const { ref, title, onKeyDown, top, filters, map, notice, intro, cards } = props;
  const { isCardsBehind, isListFirst, zoom, tools } = props;
  const [isTouched, setTouched] = useState(false);
  return (
    <div
      ref={ref}
      className={styles.home}
      data-list-first={isListFirst && !isCardsBehind ? true : undefined}
      onKeyDown={onKeyDown}
    >
      <h1 className="visually-hidden">{title}</h1>
      <div data-slot className={styles.top}>
        {top}
      </div>
      <div data-slot className={styles.filters}>
        {filters}
      </div>
      <div
        className={styles.map}
        onPointerDown={({ pointerType }) => pointerType === 'touch' && setTouched(true)}
      >
        {map}
      </div>
      <div data-slot className={styles.notice}>
        {notice}
      </div>
      <div data-slot className={styles.cards} data-behind={isCardsBehind ? true : undefined}>
        {intro}
        {cards}
      </div>
      <div className={styles.side}>
        <div data-slot className={styles.tools}>
          <span className={styles.zoom} data-touched={isTouched ? true : undefined}>
            {zoom}
          </span>
          {tools}
        </div>
      </div>
    </div>
  );
}
