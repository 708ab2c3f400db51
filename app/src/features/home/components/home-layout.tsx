// The grid of the home screen. Each element above the map has its own slot, so elements do not cover each other.
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  startTransition,
  useState,
} from 'react';
import styles from './home-layout.module.css';

interface HomeLayoutProps {
  /** The ref of the container. Its descendants with `data-slot` are above the map. */
  ref: RefObject<HTMLDivElement | null>;
  title: string;
  onKeyDown: (event: KeyboardEvent) => void;
  top: ReactNode;
  filters: ReactNode;
  map: ReactNode;
  /** The sheet, prompt or notice. Only one is shown at a time. */
  notice: ReactNode;
  /** Shown above the cards. */
  intro: ReactNode;
  cards: ReactNode;
  /** True to show the cards on a phone as a list below a small map. */
  isListFirst: boolean;
  /** True if the notice replaces the cards on a phone. */
  isCardsBehind: boolean;
  /** The zoom buttons. On a touch screen they appear only after the map has been touched. */
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
        // In a transition, because rendering the zoom buttons immediately would delay the effect of a tap on a marker.
        onPointerDown={({ pointerType }) =>
          pointerType === 'touch' && startTransition(() => setTouched(true))
        }
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
