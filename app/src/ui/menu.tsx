// A button that opens a short list of actions.
import { EllipsisVertical } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './menu.module.css';

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  onSelect: () => void;
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  className?: string | undefined;
}

const EDGE = 8;

export function Menu({ label, items, className }: MenuProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  const close = (giveFocusBack: boolean) => {
    setOpen(false);
    if (giveFocusBack) anchor.current?.querySelector('button')?.focus();
  };

  useLayoutEffect(() => {
    const [panel, button] = [list.current, anchor.current];
    if (!open || !panel || !button) return;
    // Show the menu in the top layer if the browser supports popovers, otherwise with `position: fixed`.
    if (panel.popover !== undefined) panel.showPopover();
    const at = button.getBoundingClientRect();
    const size = panel.getBoundingClientRect();
    const below = at.bottom + 4;
    const fits = below + size.height < innerHeight - EDGE;
    const start = getComputedStyle(button).direction === 'rtl' ? at.left : at.right - size.width;
    panel.style.translate = `${Math.max(EDGE, Math.min(start, innerWidth - size.width - EDGE))}px ${
      fits ? below : Math.max(EDGE, at.top - size.height - 4)
    }px`;
    panel.querySelector('button')?.focus();
  }, [open]);

  useEffect(() => {
    if (!open) return;
    const onOutside = (event: Event) => {
      const target = event.target as Node;
      if (!list.current?.contains(target) && !anchor.current?.contains(target)) setOpen(false);
    };
    const top = () => anchor.current?.getBoundingClientRect().top;
    const opened = top();
    // Close only if the button has moved. It may have been scrolled into view just before, and the event of that scroll arrives
    // only now.
    const onScroll = () => {
      if (top() !== opened) setOpen(false);
    };
    document.addEventListener('pointerdown', onOutside);
    document.addEventListener('scroll', onScroll, true);
    return () => {
      document.removeEventListener('pointerdown', onOutside);
      document.removeEventListener('scroll', onScroll, true);
    };
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) buttons.at(to % buttons.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <span ref={anchor} className={classNames(styles.anchor, className)}>
      <IconButton
        label={label}
        icon={EllipsisVertical}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div
          ref={list}
          id={id}
          role="menu"
          aria-label={label}
          popover="manual"
          className={styles.menu}
          onKeyDown={onKeyDown}
        >
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={classNames(styles.item, item.danger && styles.danger)}
              onClick={() => {
                close(true);
                item.onSelect();
              }}
            >
              {item.icon && <Icon of={item.icon} />}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </span>
  );
}
