// The parks around as cards: swiped over the map on a phone, a column beside it on a desktop. What a card says is a slot.
import { type ReactNode, type UIEvent, useEffect, useRef, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import styles from './park-strip.module.css';

/** Pixels from which on a strip is swiped on. */
const BEGUN = 16;

interface ParkStripProps {
  head: ReactNode;
  /** In order. */
  parks: readonly MapPark[];
  selected: number | null;
  onSelect: (park: MapPark) => void;
  /** Looked at, by hover, focus or swipe; null: no longer. @param isMeant by more than a pointer on its way */
  onPoint: (park: MapPark | null, isMeant: boolean) => void;
  card: (park: MapPark) => ReactNode;
}

export function ParkStrip({ head, parks, selected, onSelect, onPoint, card }: ParkStripProps) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  /** A person moves the strip; else it moves by itself, which must not move the map. */
  const swiped = useRef(false);
  /** While the keyboard walks through the cards: cards that changed places under it would never end. */
  const [held, setHeld] = useState<readonly MapPark[] | null>(null);
  /** While the strip is swiped on, until it shows other parks: a card must not leave the finger. */
  const [swipedOn, setSwipedOn] = useState<{ of: string; cards: readonly MapPark[] } | null>(null);
  const of = parks
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join();
  const cards = held ?? (swipedOn?.of === of ? swipedOn.cards : parks);
  const first = cards[0]?.id;
  useEffect(() => {
    swiped.current = false;
    // Other parks: the answer is the first card again.
    list.current?.scrollTo({ left: 0, top: 0 });
  }, [first]);

  /** On a phone the card in the middle of the swipe is the one that is looked at. */
  function onScrollEnd(): void {
    const strip = list.current;
    if (!strip || strip.scrollWidth <= strip.clientWidth) return;
    const middle = strip.getBoundingClientRect();
    const at = [...strip.children].findIndex((item) => {
      const { left, right } = item.getBoundingClientRect();
      const centre = middle.left + middle.width / 2;
      return left <= centre && right >= centre;
    });
    if (swiped.current) onPoint(cards[at] ?? null, true);
    swiped.current = false;
  }

  function onScroll({ currentTarget: { scrollLeft, scrollTop } }: UIEvent): void {
    if (Math.abs(scrollLeft) + scrollTop < BEGUN) setSwipedOn(null);
    else setSwipedOn((known) => (known?.of === of ? known : { of, cards }));
  }

  if (cards.length === 0) return null;
  return (
    <div className={styles.frame}>
      {head}
      <ul
        ref={list}
        className={styles.strip}
        aria-label={t('ui.parksAround')}
        onPointerDown={() => (swiped.current = true)}
        onWheel={() => (swiped.current = true)}
        onScroll={onScroll}
        onScrollEnd={onScrollEnd}
        onPointerLeave={() => onPoint(null, false)}
        onFocus={({ target }) => target.matches(':focus-visible') && setHeld(cards)}
        onBlur={({ currentTarget, relatedTarget }) =>
          !currentTarget.contains(relatedTarget) && setHeld(null)
        }
      >
        {cards.map((park) => (
          <li key={park.id} className={styles.item}>
            <button
              type="button"
              className={styles.card}
              aria-expanded={park.id === selected}
              data-park={park.id}
              onClick={() => onSelect(park)}
              onPointerEnter={(event) => {
                if (event.pointerType === 'mouse') onPoint(park, false);
              }}
              onFocus={(event) => onPoint(park, event.target.matches(':focus-visible'))}
              onBlur={() => onPoint(null, false)}
            >
              {card(park)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
