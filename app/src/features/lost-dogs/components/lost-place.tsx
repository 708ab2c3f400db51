// Reports the place where a dog was seen, with a point on a map and a photo if photos are allowed.
import { Camera } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { LatLong } from '#/core/distance.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { pickPhoto } from '#/entities/photos/pick-photo.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { PhotoInput } from '#/ui/photo-input.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { useSubmit } from '#/ui/use-submit.ts';

export interface PickerSlot {
  value: LatLong | null;
  onChange: (place: LatLong) => void;
  label: string;
  error: string | null;
}

/** Sending the form accepts the terms. Contains a line about them, and a function that records the acceptance. */
export interface Consent {
  line: ReactNode;
  accept: () => Promise<boolean>;
}

const EMPTY = { place: null as LatLong | null };

interface LostPlaceProps {
  /** The name of the form's draft, which is different for each dog or tag. */
  draft: string;
  title: string;
  /** Translated texts. */
  note: string;
  send: string;
  withPhoto?: boolean;
  /** The map on which the user marks the place. */
  picker: (slot: PickerSlot) => ReactNode;
  consent: Consent;
  onSend: (place: LatLong, photo: File | null) => Promise<void>;
  onClose: () => void;
}

export function LostPlace(props: LostPlaceProps) {
  const { title, note, send, withPhoto = false, picker, consent, onSend, onClose } = props;
  const t = useT();
  const form = useDraft(props.draft, EMPTY);
  const { photo, setPhoto } = form;
  const { place } = form.draft;
  const [missing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { busy, onSubmit } = useSubmit(async () => {
    setMissing(!place);
    if (!place) return focusFirstProblem();
    if (!(await consent.accept())) return;
    await onSend(place, photo);
    form.drop();
    onClose();
  });
  return (
    <Sheet
      onClose={onClose}
      title={title}
      footer={
        <div className="grid-2">
          {consent.line}
          <Button busy={busy} onClick={onSubmit}>
            {send}
          </Button>
        </div>
      }
    >
      <div className="column-4">
        <p>{note}</p>
        <DraftNote {...form} />
        {picker({
          value: place,
          onChange: (at) => form.setDraft({ place: at }),
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
              {photo ? t('lostDogs.otherPhoto') : t('ui.photo.add')}
            </Button>
            <PhotoInput ref={input} label={t('ui.photo.add')} onPhoto={setPhoto} />
          </>
        )}
      </div>
    </Sheet>
  );
}
