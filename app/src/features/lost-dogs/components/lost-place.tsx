// Where a dog was seen: a point on a map, and a photo where one may go along.
import { Camera } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { LatLong } from '#/core/distance.ts';
import { pickPhoto } from '#/data/photos/pick-photo.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { PhotoInput } from '#/ui/photo-input.tsx';
import { Sheet } from '#/ui/sheet.tsx';

export interface PickerSlot {
  value: LatLong | null;
  onChange: (place: LatLong) => void;
  label: string;
  error: string | null;
}

interface LostPlaceProps {
  title: string;
  /** Translated. */
  note: string;
  send: string;
  withPhoto?: boolean;
  busy: boolean;
  /** The map to point at. */
  picker: (slot: PickerSlot) => ReactNode;
  onSend: (place: LatLong, photo: File | null) => void;
  onClose: () => void;
}

export function LostPlace(props: LostPlaceProps) {
  const { title, note, send, withPhoto = false, busy, picker, onSend, onClose } = props;
  const t = useT();
  const [place, setPlace] = useState<LatLong | null>(null);
  const [photo, setPhoto] = useState<File | null>(null);
  const [missing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const submit = () => {
    setMissing(!place);
    if (place) onSend(place, photo);
    else focusFirstProblem();
  };
  return (
    <Sheet
      onClose={onClose}
      title={title}
      footer={
        <Button busy={busy} onClick={submit}>
          {send}
        </Button>
      }
    >
      <div className="column-4">
        <p>{note}</p>
        {picker({
          value: place,
          onChange: setPlace,
          label: t('lostDogs.where'),
          error: missing && !place ? t('lostDogs.whereMissing') : null,
        })}
        {withPhoto && (
          <>
            <Button
              variant="secondary"
              icon={Camera}
              onClick={() => pickPhoto('ask', input.current, setPhoto)}
            >
              {photo ? t('lostDogs.otherPhoto') : t('photos.add')}
            </Button>
            <PhotoInput ref={input} label={t('photos.add')} onPhoto={setPhoto} />
          </>
        )}
      </div>
    </Sheet>
  );
}
