// Crops an image: by dragging, by tapping the centre, or with the arrow keys.
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { type Area, areaOf, type Crop, MAX_ZOOM, moveCrop, WHOLE } from '#/core/images/crop.ts';
import styles from './photo-crop.module.css';

interface PhotoCropProps {
  file: Blob;
  aspect: number;
  onChange: (area: Area) => void;
  onUnreadable: () => void;
}

/** Movement for each key press, as a share of the crop. */
const STEP = 0.05;
/** Maximum movement of a tap in pixels. */
const TAP = 6;

export function PhotoCrop({ file, aspect, onChange, onUnreadable }: PhotoCropProps) {
  const t = useT();
  const [imageRatio, setImageRatio] = useState<number | null>(null);
  const [crop, setCrop] = useState(WHOLE);
  const frame = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const drag = useRef<{ x: number; y: number; far: number } | null>(null);

  useEffect(() => {
    const made = URL.createObjectURL(file);
    if (image.current) image.current.src = made;
    frame.current?.focus();
    return () => URL.revokeObjectURL(made);
  }, [file]);

  const area = areaOf(crop, imageRatio ?? aspect, aspect);
  const take = (next: Crop) => {
    setCrop(next);
    if (imageRatio !== null) onChange(areaOf(next, imageRatio, aspect));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const by = {
      ArrowLeft: { x: -STEP, y: 0 },
      ArrowRight: { x: STEP, y: 0 },
      ArrowUp: { x: 0, y: -STEP },
      ArrowDown: { x: 0, y: STEP },
    }[event.key];
    if (!by) return;
    event.preventDefault();
    take(moveCrop(crop, area, by));
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const from = drag.current;
    if (!from) return;
    const box = event.currentTarget.getBoundingClientRect();
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    drag.current = { x: event.clientX, y: event.clientY, far: from.far + Math.hypot(dx, dy) };
    take(moveCrop(crop, area, { x: -dx / box.width, y: -dy / box.height }));
  };

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const tapped = drag.current !== null && drag.current.far < TAP;
    drag.current = null;
    if (!tapped) return;
    const box = event.currentTarget.getBoundingClientRect();
    take(
      moveCrop(crop, area, {
        x: (event.clientX - box.left) / box.width - 0.5,
        y: (event.clientY - box.top) / box.height - 0.5,
      }),
    );
  };

  return (
    <div className="grid-3">
      <div
        ref={frame}
        // Left to right in every language, because an image has no reading direction.
        dir="ltr"
        role="group"
        aria-label={`${t('ui.crop.frame')} ${t('ui.crop.keys')}`}
        tabIndex={0}
        className={styles.frame}
        style={{ aspectRatio: aspect }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, far: 0 };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = null;
        }}
      >
        <img
          ref={image}
          alt=""
          draggable={false}
          className={styles.picture}
          style={{
            inlineSize: `${100 / area.width}%`,
            translate: `${-100 * area.left}% ${-100 * area.top}%`,
          }}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            const shape = naturalWidth / naturalHeight;
            setImageRatio(shape);
            onChange(areaOf(crop, shape, aspect));
          }}
          onError={onUnreadable}
        />
      </div>
      <p className="note">{t('ui.crop.frame')}</p>
      <label className={styles.zoom}>
        {t('ui.crop.zoom')}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.1}
          value={crop.zoom}
          aria-valuetext={`${Math.round(crop.zoom * 100)}%`}
          onChange={(event) => take({ ...crop, zoom: event.target.valueAsNumber })}
        />
      </label>
    </div>
  );
}
