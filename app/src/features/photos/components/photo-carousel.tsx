// A row of photos with scroll snapping, controlled by swipe, arrow keys or buttons. It follows the reading direction.
import { ChevronLeft, ChevronRight, ImageOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './photo-carousel.module.css';

interface PhotoCarouselProps {
  /** Paths of the photos in the parks bucket; at least one. */
  paths: readonly string[];
  /** The park's name, for screen readers. */
  parkName: string;
  width: number;
  /** Called to enlarge a photo. If omitted, photos are not buttons. */
  onOpen?: (index: number) => void;
  onShow?: (index: number) => void;
  /** Index of the photo that is shown first. */
  first?: number;
  className?: string | undefined;
}

export function PhotoCarousel(props: PhotoCarouselProps) {
  const { paths, parkName, width, onOpen, onShow, first = 0, className } = props;
  const t = useT();
  const track = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState(first);
  const [broken, setBroken] = useState<readonly string[]>([]);

  const show = (index: number) =>
    scrollToSlide(track.current, Math.max(0, Math.min(paths.length - 1, index)), 'smooth');
  // Scroll in an effect, which runs after a surrounding sheet has opened, because a closed sheet has no size.
  useEffect(() => scrollToSlide(track.current, first, 'instant'), [first]);

  return (
    <div
      role="group"
      aria-roledescription={t('photos.carousel')}
      aria-label={t('photos.of', { name: parkName })}
      className={classNames(styles.carousel, className)}
      onKeyDown={(event) => {
        const turned = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
        if (event.key === 'ArrowRight') show(at + turned);
        else if (event.key === 'ArrowLeft') show(at - turned);
        else return;
        event.preventDefault();
      }}
    >
      <ul
        ref={track}
        className={styles.track}
        tabIndex={0}
        aria-label={t('photos.number', { at: at + 1, count: paths.length })}
        onScroll={(event) => {
          const { scrollLeft, clientWidth } = event.currentTarget;
          // `scrollLeft` is negative in right-to-left layouts.
          const seen = Math.round(Math.abs(scrollLeft) / Math.max(1, clientWidth));
          setAt(seen);
          onShow?.(seen);
        }}
      >
        {paths.map((path, index) => {
          const name = t('photos.number', { at: index + 1, count: paths.length });
          const isBroken = broken.includes(path);
          const picture = isBroken ? (
            <span className={styles.broken}>
              <Icon of={ImageOff} size={32} />
              {t('ui.photo.broken')}
            </span>
          ) : (
            <img
              src={photoUrl('parks', path, width)}
              alt={onOpen ? '' : name}
              loading={index === first ? 'eager' : 'lazy'}
              decoding="async"
              className={styles.photo}
              onError={() => setBroken((now) => [...now, path])}
            />
          );
          return (
            <li key={path} className={styles.slide} aria-hidden={index === at ? undefined : true}>
              {onOpen && !isBroken ? (
                <button
                  type="button"
                  className={styles.open}
                  aria-label={t('photos.enlarge', { at: index + 1, count: paths.length })}
                  tabIndex={index === at ? 0 : -1}
                  onClick={() => onOpen(index)}
                >
                  {picture}
                </button>
              ) : (
                picture
              )}
            </li>
          );
        })}
      </ul>
      {paths.length > 1 && (
        <>
          <IconButton
            icon={ChevronLeft}
            directional
            variant="raised"
            label={t('photos.previous')}
            className={styles.previous}
            disabled={at === 0}
            onClick={() => show(at - 1)}
          />
          <IconButton
            icon={ChevronRight}
            directional
            variant="raised"
            label={t('photos.next')}
            className={styles.next}
            disabled={at === paths.length - 1}
            onClick={() => show(at + 1)}
          />
          <span className={styles.count} aria-hidden>
            <bdi dir="ltr">
              {at + 1}/{paths.length}
            </bdi>
          </span>
        </>
      )}
    </div>
  );
}

function scrollToSlide(track: HTMLElement | null, index: number, behavior: ScrollBehavior): void {
  const slide = track?.children[index];
  if (!track || !slide) return;
  // Not `scrollIntoView`, because it would also scroll the page.
  const delta = slide.getBoundingClientRect().left - track.getBoundingClientRect().left;
  track.scrollBy({ left: delta, behavior });
}
