// The form for a new park; the screen passes in the location picker.
import { Camera, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import * as v from 'valibot';
import { ParkFactsFields } from '#/features/park-facts/components/park-facts-fields.tsx';
import {
  type AddressFields,
  EMPTY_ADDRESS,
  fieldsAfterSearch,
} from '#/features/park-facts/address-fields.ts';
import { EMPTY_FACTS, factsOf } from '#/features/park-facts/facts-draft.ts';
import { newParkInput, type NewParkInput } from '#/features/park-facts/park-input.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { formProblems, type FormProblems, useProblem } from '#/ui/form-problems.ts';
import { pickPhoto } from '#/entities/photos/pick-photo.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { PhotoInput } from '#/ui/photo-input.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { useBlobImage } from '#/ui/use-blob-image.ts';
import styles from './park-form.module.css';

interface NewParkFormProps {
  picker: (
    location: LatLong | null,
    onPick: (place: LatLong, found?: AddressFields) => void,
    error: string | null,
  ) => ReactNode;
  busy: boolean;
  /** @param sent called after the server has stored the park */
  onSubmit: (park: NewParkInput, photo: File | null, sent: () => void) => void;
}

const EMPTY = {
  fields: { name: '', city: '', address: '' },
  /** Values that an address search filled in. */
  filledIn: EMPTY_ADDRESS,
  location: null as LatLong | null,
  facts: EMPTY_FACTS,
};

export function NewParkForm({ picker, busy, onSubmit }: NewParkFormProps) {
  const t = useT();
  const form = useDraft('park', EMPTY);
  const { photo, setPhoto } = form;
  const { fields, filledIn, location, facts } = form.draft;
  const set = (patch: Partial<typeof EMPTY>) => form.setDraft({ ...form.draft, ...patch });
  const [problems, setProblems] = useState<FormProblems>({});
  const problem = useProblem(problems);
  const field = (name: keyof typeof fields) => ({
    label: t(`parks.new.${name}`),
    value: fields[name],
    error: problem(name),
    onChange: (event: { target: { value: string } }) => {
      set({ fields: { ...fields, [name]: event.target.value } });
      setProblems({ ...problems, [name]: undefined });
    },
  });

  /** Fills the found address into the fields that have no typed text. */
  const fillIn = (place: LatLong, found: AddressFields) => {
    const { city, address } = fieldsAfterSearch(fields, filledIn, found);
    set({
      location: place,
      fields: { ...fields, city, address },
      filledIn: { city: found.city, address: found.address },
    });
    setProblems({
      ...problems,
      location: undefined,
      ...(city && { city: undefined }),
      ...(address && { address: undefined }),
    });
  };

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const checked = v.safeParse(newParkInput, { ...fields, ...factsOf(facts), location });
        setProblems(checked.success ? {} : formProblems(checked.issues));
        if (checked.success) onSubmit(checked.output, photo, form.drop);
        else focusFirstProblem();
      }}
    >
      <DraftNote {...form} />
      <p className="note">{t('parks.new.intro')}</p>
      {picker(
        location,
        (place, found) => {
          if (found) fillIn(place, found);
          else {
            set({ location: place });
            setProblems({ ...problems, location: undefined });
          }
        },
        problem('location'),
      )}
      <TextField {...field('city')} autoComplete="address-level2" required />
      <TextField {...field('address')} autoComplete="street-address" required />
      <TextField {...field('name')} optional hint={t('parks.new.nameHint')} />
      <Card>
        <fieldset className={styles.group}>
          <legend>{t('parks.new.details')}</legend>
          <ParkFactsFields
            draft={facts}
            onChange={(patch) => set({ facts: { ...facts, ...patch } })}
            problems={problems}
          />
          <PhotoField photo={photo} onChange={setPhoto} />
        </fieldset>
      </Card>
      <Button type="submit" wide busy={busy}>
        {t('parks.new.send')}
      </Button>
    </form>
  );
}

function PhotoField({
  photo,
  onChange,
}: {
  photo: File | null;
  onChange: (photo: File | null) => void;
}) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const preview = useBlobImage(photo);
  return (
    <div className="row-wrap-3">
      {photo && (
        <img ref={preview} alt={t('parks.contributions.photo')} className={styles.preview} />
      )}
      <Button
        variant="secondary"
        icon={Camera}
        onClick={() => pickPhoto('ask', input.current, onChange)}
      >
        {t('parks.new.choosePhoto')}
      </Button>
      {photo && (
        <Button variant="quiet" icon={Trash2} onClick={() => onChange(null)}>
          {t('ui.photo.remove')}
        </Button>
      )}
      <PhotoInput ref={input} label={t('parks.new.choosePhoto')} onPhoto={onChange} />
    </div>
  );
}
