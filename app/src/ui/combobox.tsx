// A list with a search field (ARIA combobox with a listbox): type to filter, arrows to move, Enter to select.
import { Check, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { foldText } from '#/core/fold-text.ts';
import { classNames } from '#/ui/class-names.ts';
import { Field, type FieldTexts } from '#/ui/field.tsx';
import { Icon } from '#/ui/icon.tsx';
import type { Option } from '#/ui/select.tsx';
import fieldStyles from './field.module.css';
import styles from './combobox.module.css';

interface ComboboxProps extends FieldTexts {
  /** Empty while the options are loading. */
  options: readonly Option[];
  /** '' if nothing is selected. */
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  emptyText: string;
}

export function Combobox({
  options,
  value,
  onChange,
  placeholder,
  emptyText,
  ...texts
}: ComboboxProps) {
  const chosen = options.find((option) => option.value === value);
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const listId = useId();
  const open = typed !== null && options.length > 0;

  const wanted = foldText(typed ?? '');
  const matches = open ? options.filter(({ label }) => foldText(label).includes(wanted)) : [];
  const active = matches[Math.min(at, matches.length - 1)];
  const optionId = (option: Option) => `${listId}-${option.value}`;

  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });

  const close = () => {
    setTyped(null);
    setAt(0);
  };
  const choose = (option: Option) => {
    onChange(option.value);
    close();
  };
  /** Selects an option whose name was typed in full when the field loses focus. */
  const leave = () => {
    // While the options are loading, the typed text is kept.
    if (options.length === 0) return;
    const named = open && options.find(({ label }) => foldText(label) === wanted);
    if (named) choose(named);
    else close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = Math.max(0, matches.length - 1);
    if (event.key === 'Escape' && open) close();
    else if (event.key === 'Enter' && open && active) choose(active);
    else if (event.key === 'ArrowDown') {
      if (open) setAt(Math.min(at + 1, last));
      else setTyped('');
    } else if (event.key === 'ArrowUp' && open) setAt(Math.max(at - 1, 0));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Field {...texts}>
      {(control) => (
        <span className={fieldStyles.box}>
          <input
            {...control}
            role="combobox"
            type="text"
            dir="auto"
            autoComplete="off"
            aria-expanded={open}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={active ? optionId(active) : undefined}
            placeholder={placeholder}
            value={typed ?? chosen?.label ?? ''}
            className={classNames(fieldStyles.control, fieldStyles.withTrailing)}
            onChange={(event) => {
              setTyped(event.target.value);
              setAt(0);
            }}
            onClick={() => {
              if (!open) setTyped('');
            }}
            onBlur={leave}
            onKeyDown={onKeyDown}
          />
          <span className={fieldStyles.chevron}>
            <Icon of={ChevronDown} />
          </span>
          <ul
            ref={list}
            id={listId}
            role="listbox"
            aria-label={texts.label}
            hidden={!open}
            className={styles.list}
          >
            {matches.map((option) => (
              <li
                key={option.value}
                id={optionId(option)}
                role="option"
                aria-selected={option === active}
                className={styles.option}
                // Keep the focus in the field. Otherwise blur would close the list before the click.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
              >
                {option.label}
                {option.value === value && <Icon of={Check} size={18} />}
              </li>
            ))}
            {open && matches.length === 0 && (
              <li role="option" aria-selected={false} aria-disabled className={styles.empty}>
                {emptyText}
              </li>
            )}
          </ul>
        </span>
      )}
    </Field>
  );
}
