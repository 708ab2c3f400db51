// The filters as one row of chips: a button for all filters, the most used ones, and other active ones.
import {
  SlidersHorizontal,
  Clock,
  Footprints,
  MapPin,
  type LucideIcon,
  PawPrint,
  Ruler,
  Sparkles,
  TreePine,
} from 'lucide-react';
import type { KeyboardEvent } from 'react';
import {
  chosen,
  countFilters,
  type ParkFilterSearch,
  parkFilters,
  toggle,
  type FilterName,
} from '#/features/park-lists/park-filters.ts';
import { useT } from '#/i18n/i18n.ts';
import { Badge } from '#/ui/badge.tsx';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import { FACT_ICONS } from '#/entities/parks/fact-icons.ts';
import styles from './filter-chips.module.css';

const FILTER_ICONS: Readonly<Record<FilterName, LucideIcon>> = {
  dogs: PawPrint,
  near: MapPin,
  open: Clock,
  fenced: FACT_ICONS.fenced,
  water: FACT_ICONS.drinking_water,
  smallDogs: FACT_ICONS.small_dog,
  size: Ruler,
  ground: Footprints,
  shade: TreePine,
  facilities: Sparkles,
  fenceHeight: FACT_ICONS['fence:height'],
  doubleGate: FACT_ICONS.double_gate,
  lit: FACT_ICONS.lit,
  benches: FACT_ICONS.bench,
  bins: FACT_ICONS.bin,
  bags: FACT_ICONS.excrement_bags,
  agility: FACT_ICONS.dog_agility,
  parking: FACT_ICONS.parking,
  stepFree: FACT_ICONS.wheelchair,
  free: FACT_ICONS.fee,
  offLeash: FACT_ICONS.dog,
  shelter: FACT_ICONS.shelter_distance,
};

interface FilterChipsProps {
  search: ParkFilterSearch;
  onChange: (patch: ParkFilterSearch) => void;
  onOpen: () => void;
  /** True if the chips float above the map. */
  raised?: boolean;
}

export function FilterChips({ search, onChange, onOpen, raised = false }: FilterChipsProps) {
  const t = useT();
  const count = countFilters(search);
  const chips = parkFilters.flatMap(([name, { options, quick, chip }]) => {
    const on = chosen(name, search);
    return options
      .filter((option) => quick.includes(option) || on.includes(option))
      .map((option) => ({ name, option, label: chip(t, option), on: on.includes(option) }));
  });
  return (
    <div
      role="group"
      aria-label={t('parks.list.filters')}
      onKeyDown={onKeyDown}
      className={classNames(styles.strip, raised && styles.raised)}
    >
      <button type="button" className={styles.chip} aria-haspopup="dialog" onClick={onOpen}>
        <Icon of={SlidersHorizontal} size={18} />
        {t('parks.list.filters')}
        <Badge
          count={count}
          label={t('parks.list.filtersOn', { count })}
          className={styles.badge}
        />
      </button>
      {chips.map(({ name, option, label, on }) => (
        <button
          key={`${name} ${String(option)}`}
          type="button"
          className={styles.chip}
          aria-pressed={on}
          tabIndex={-1}
          onClick={() => onChange(toggle(name, option, search))}
        >
          <Icon of={FILTER_ICONS[name]} size={18} />
          {label}
        </button>
      ))}
    </div>
  );
}

/** The row is a single tab stop, and arrow keys move between its chips. */
function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: row, key } = event;
  const chips = [...row.querySelectorAll('button')];
  const at = chips.indexOf(document.activeElement as HTMLButtonElement);
  const forwards = getComputedStyle(row).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const to =
    key === 'Home'
      ? 0
      : key === 'End'
        ? chips.length - 1
        : /^Arrow(?:Left|Right)$/.test(key)
          ? at + (key === forwards ? 1 : -1)
          : null;
  if (to === null) return;
  chips[to]?.focus();
  event.preventDefault();
}
