// The nearby parks as cards, in a strip above the map on a phone and in a column next to it on a desktop.
import { type ReactNode, type UIEvent, useEffect, useRef, useState } from 'react';
import { keepPlaces } from '#/features/home/keep-places.ts';
import { useT } from '#/i18n/i18n.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import styles from './park-strip.module.css';

/** If the strip is scrolled by more pixels than this, the first card counts as left. */
const MIN_SCROLL = 16;

interface ParkStripProps<Shown> {
  head: ReactNode;
  /** Identifies the selected filters and order. When it changes, the strip scrolls back to the first card. */
  choice: string;
  parks: readonly Shown[];
  selected: number | null;
  onSelect: (park: MapPark) => void;
  /** Highlights a park on hover, focus or swipe; null removes the highlight. @param isMeant false for hover */
  onPoint: (park: MapPark | null, isMeant: boolean) => void;
  card: (shown: Shown) => ReactNode;
}

/** Interactions during which the cards must not move. */
type Hold = 'focus' | 'pointer' | 'scroll';

export function ParkStrip<Shown extends { id: number; park: MapPark }>(
  props: ParkStripProps<Shown>,
) {
  const { head, choice, parks, selected, onSelect, onPoint, card } = props;
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  /** True while the user scrolls the strip. When code scrolls it, the map must not move. */
  const swiped = useRef(false);
  const [holds, setHolds] = useState<readonly Hold[]>([]);
  const [shown, setShown] = useState({ choice, ids: parks.map(({ id }) => id) });
  const isHeld = holds.length > 0 && shown.choice === choice;
  const cards = isHeld ? keepPlaces(parks, shown.ids) : parks;
  const ids = cards.map(({ id }) => id);
  if (shown.choice !== choice || ids.join() !== shown.ids.join()) setShown({ choice, ids });
  useEffect(() => {
    swiped.current = false;
    list.current?.scrollTo({ left: 0, top: 0 });
  }, [choice]);

  const hold = (by: Hold, on = true) =>
    setHolds((known) =>
      known.includes(by) === on ? known : on ? [...known, by] : known.filter((each) => each !== by),
    );

  /** On a phone, highlight the card in the middle of the strip. */
  function onScrollEnd(): void {
    const strip = list.current;
    if (!strip || strip.scrollWidth <= strip.clientWidth) return;
    const middle = strip.getBoundingClientRect();
    const at = [...strip.children].findIndex((item) => {
      const { left, right } = item.getBoundingClientRect();
      const centre = middle.left + middle.width / 2;
      return left <= centre && right >= centre;
    });
    if (swiped.current) onPoint(cards[at]?.park ?? null, true);
    swiped.current = false;
  }

  function onScroll({ currentTarget: { scrollLeft, scrollTop } }: UIEvent): void {
    hold('scroll', Math.abs(scrollLeft) + scrollTop >= MIN_SCROLL);
  }

  if (cards.length === 0) return null;
  return (
    <div className={styles.frame}>
      {head}
      <ul
        ref={list}
        className={styles.strip}
        aria-label={t('ui.parksAround')}
        onPointerDown={() => {
          swiped.current = true;
          hold('pointer');
        }}
        onPointerEnter={() => hold('pointer')}
        onWheel={() => (swiped.current = true)}
        onScroll={onScroll}
        onScrollEnd={onScrollEnd}
        onPointerLeave={() => {
          onPoint(null, false);
          hold('pointer', false);
        }}
        onPointerCancel={() => hold('pointer', false)}
        onFocus={({ target }) => target.matches(':focus-visible') && hold('focus')}
        onBlur={({ currentTarget, relatedTarget }) =>
          !currentTarget.contains(relatedTarget) && hold('focus', false)
        }
      >
        {cards.map((each) => (
          <li key={each.id} className={styles.item}>
            <button
              type="button"
              className={styles.card}
              aria-expanded={each.id === selected}
              data-park={each.id}
              onClick={() => onSelect(each.park)}
              onPointerEnter={(event) => {
                if (event.pointerType === 'mouse') onPoint(each.park, false);
              }}
              onFocus={(event) => onPoint(each.park, event.target.matches(':focus-visible'))}
              onBlur={() => onPoint(null, false)}
            >
              {card(each)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
