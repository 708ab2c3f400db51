// The address search as an ARIA combobox, with suggestions while typing and a search on Enter.
import { MapPin, PawPrint, Search, X } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import type { FoundPlace } from '#/features/places/queries/search-places.ts';
import { usePlaceSearch } from '#/features/places/use-place-search.ts';
import { useT } from '#/i18n/i18n.ts';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import { MAX_PLACE_LENGTH } from '../../../../../shared/input-lengths.ts';
import styles from './address-search.module.css';

interface AddressSearchProps {
  onPlace: (place: FoundPlace) => void;
  /** `flat` is for forms, and `raised` floats above a map. */
  variant?: 'flat' | 'raised';
  /** ID of the error message for a missing place. The form focuses the first field that has one. */
  errorId?: string | undefined;
}

export function AddressSearch({ onPlace, variant = 'flat', errorId }: AddressSearchProps) {
  const t = useT();
  const search = usePlaceSearch();
  const [open, setOpen] = useState(false);
  /** Index of the option selected with the arrow keys. If it is -1, Enter starts a search. */
  const [at, setAt] = useState(-1);
  const listId = useId();
  const { places } = search;
  const shown = open && places.length > 0;
  const optionId = (index: number) => `${listId}-${String(index)}`;

  useAnnounce(shown ? t('places.search.found', { count: places.length }) : '');

  function choose(place: FoundPlace): void {
    search.setText(place.label);
    setOpen(false);
    onPlace(place);
  }

  async function submit(): Promise<void> {
    const chosen = shown ? places[at] : undefined;
    if (chosen) return choose(chosen);
    const found = await search.submit();
    if (found.length === 1 && found[0]) choose(found[0]);
    else {
      setOpen(true);
      setAt(0);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && (shown || search.text !== '')) {
      if (shown) setOpen(false);
      else search.setText('');
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) void submit();
    else if (event.key === 'ArrowDown' && places.length > 0) {
      setOpen(true);
      setAt(shown ? (at + 1) % places.length : 0);
    } else if (event.key === 'ArrowUp' && shown) setAt(at <= 0 ? places.length - 1 : at - 1);
    else return;
    event.preventDefault();
  }

  const complaint = search.nothingFound ? t('places.search.notFound') : search.failure;
  return (
    // Not a <form>, because forms cannot be nested.
    <div role="search" className={classNames(styles.search, styles[variant])}>
      <div className={styles.box}>
        <Icon of={Search} className={styles.icon} />
        <input
          className={styles.input}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          role="combobox"
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_PLACE_LENGTH}
          aria-label={t('places.search.label')}
          aria-expanded={shown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-busy={search.searching}
          aria-invalid={errorId ? true : undefined}
          aria-describedby={errorId}
          aria-activedescendant={shown && at >= 0 ? optionId(at) : undefined}
          placeholder={t('places.search.placeholder')}
          value={search.text}
          onChange={(event) => {
            search.setText(event.target.value);
            setOpen(true);
            setAt(-1);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        {search.text !== '' && (
          <IconButton
            icon={X}
            size={18}
            label={t('places.search.clear')}
            onClick={() => search.setText('')}
          />
        )}
      </div>
      <ul
        id={listId}
        role="listbox"
        aria-label={t('places.search.label')}
        hidden={!shown}
        className={styles.list}
      >
        {places.map((place, index) => (
          <li
            key={`${place.label} ${String(place.lat)} ${String(place.long)}`}
            id={optionId(index)}
            role="option"
            aria-selected={index === at}
            className={styles.option}
            // Keep the focus in the field, because blur would close the list before the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(place)}
          >
            <Icon of={place.type === 'park' ? PawPrint : MapPin} size={18} />
            <span dir="auto">{place.label}</span>
          </li>
        ))}
      </ul>
      <p role="alert" className={complaint ? styles.complaint : 'visually-hidden'}>
        {complaint}
      </p>
    </div>
  );
}
