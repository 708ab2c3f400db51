// Suggests a correction to a park: other details, names, address or location, or that it has closed permanently.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  isDecided,
  useSuggestParkDetails,
} from '#/features/park-facts/commands/suggest-park-details.command.ts';
import { PencilLine } from 'lucide-react';
import { ParkFactsFields } from '#/features/park-facts/components/park-facts-fields.tsx';
import { unknownFacts } from '#/features/park-facts/fact-labels.ts';
import {
  type CorrectionDraft,
  correctionOf,
  correctionProblems,
  draftOfPark,
  LANGUAGE_CODES,
  type Part,
  PARTS,
} from '#/features/park-facts/correction.ts';
import { choiceLabel, factLabel } from '#/entities/parks/park-facts.ts';
import { parkListQueryOptions } from '#/entities/parks/park-list-query.ts';
import type { Park } from '#/entities/parks/park.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { type FormProblems, useProblem } from '#/ui/form-problems.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { Select } from '#/ui/select.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { showSuccess } from '#/ui/toast.ts';
import { useSubmit } from '#/ui/use-submit.ts';
import {
  isChoiceKey,
  isNumberKey,
  type NumberKey,
  PARK_FACT_KEYS,
  PARK_FACTS,
} from '../../../../../shared/park-facts.ts';
import styles from './park-form.module.css';
import { PARK_CLAIMS, type ParkClaim } from '../../../../../shared/enums.ts';

/** Number of nearby parks that are offered as the original of a duplicate. */
const NEARBY = 8;

/** Examples in OpenStreetMap's syntax, which is the same in every language. */
const EXAMPLES = {
  opening_hours: 'Su-Th 06:00-22:00; Fr 06:00-15:00',
  'dog:conditional': 'unleashed @ (Mo-Fr 06:00-09:00)',
};

interface SuggestSheetProps {
  park: Park;
  /** True to show only the unknown facts at first. */
  isForMissing: boolean;
  /** Asks the user to accept the terms and the licence before their first fact. */
  beforeFacts: () => Promise<boolean>;
  /** The map on which the user marks the right location. */
  picker: (place: LatLong, onPick: (place: LatLong) => void) => ReactNode;
  onClose: () => void;
}

export default function SuggestSheet(props: SuggestSheetProps) {
  const { park, beforeFacts, picker, onClose } = props;
  const t = useT();
  const language = useLanguage();
  const suggest = useSuggestParkDetails();
  const [part, setPart] = useState<Part>('details');
  const form = useDraft(`correction/${String(park.id)}`, draftOfPark(park, language));
  const { draft } = form;
  const [problems, setProblems] = useState<FormProblems>({});
  const [nothing, setNothing] = useState(false);
  const [isForMissing, setForMissing] = useState(props.isForMissing);
  const [missing] = useState(() => unknownFacts(park));
  const only = isForMissing ? missing : undefined;
  const change = (patch: Partial<CorrectionDraft>) => {
    form.setDraft({ ...draft, ...patch });
    setNothing(false);
    setProblems({});
  };

  const { busy, onSubmit } = useSubmit(async () => {
    const correction = correctionOf(draft, park, language);
    setNothing(correction === null);
    if (!correction) return;
    const wrong = correctionProblems(draft, correction);
    setProblems(wrong?.problems ?? {});
    if (wrong) {
      setForMissing(false);
      setPart(wrong.part);
      focusFirstProblem();
      return;
    }
    if (!(await beforeFacts())) return;
    const outcome = await suggest.mutateAsync({ parkId: park.id, correction });
    form.drop();
    if (outcome !== 'queued') {
      const holds = await isDecided(outcome);
      showSuccess(t(holds ? 'ui.thanksUpdate' : 'parks.suggest.thanks'));
    }
    onClose();
  });

  return (
    <Sheet
      open
      onClose={onClose}
      title={t('parks.suggest.title')}
      footer={
        <Button busy={busy} onClick={onSubmit}>
          {t('ui.send')}
        </Button>
      }
    >
      <div className={styles.form}>
        <DraftNote {...form} />
        {!isForMissing && (
          <ChipGroup<Part>
            label={t('parks.suggest.part')}
            options={PARTS.map((value) => ({ value, label: t(`parks.suggest.part.${value}`) }))}
            value={part}
            onChange={setPart}
          />
        )}
        {part === 'details' && (
          <ParkFactsFields
            draft={draft.facts}
            onChange={(patch) => change({ facts: { ...draft.facts, ...patch } })}
            problems={problems}
            only={only?.map((fact) => (fact === 'has_facilities' ? 'facilities' : fact))}
          />
        )}
        {part === 'details' && (
          <KnownFields draft={draft} onChange={change} problems={problems} only={only} />
        )}
        {part === 'names' && <NameFields draft={draft} onChange={change} problems={problems} />}
        {part === 'place' && picker(draft.place, (place) => change({ place }))}
        {part === 'claim' && (
          <ClaimFields park={park} draft={draft} onChange={change} problems={problems} />
        )}
        {isForMissing && (
          <Button variant="quiet" icon={PencilLine} onClick={() => setForMissing(false)}>
            {t('parks.about.suggest')}
          </Button>
        )}
        {nothing && (
          <p role="alert" className={styles.problem}>
            {t('parks.suggest.nothing')}
          </p>
        )}
      </div>
    </Sheet>
  );
}

interface FieldsProps {
  draft: CorrectionDraft;
  onChange: (patch: Partial<CorrectionDraft>) => void;
  problems: FormProblems;
}

/** Fields for facts with OpenStreetMap keys. Each is a choice, a number, or a text in OpenStreetMap's syntax. */
function KnownFields(props: FieldsProps & { only: readonly string[] | undefined }) {
  const { draft, onChange, problems, only } = props;
  const t = useT();
  const problem = useProblem(problems);
  return PARK_FACT_KEYS.filter((key) => !only || only.includes(key)).map((key) => {
    const label = t(factLabel(key));
    const value = draft.known[key] ?? '';
    const write = (text: string) => onChange({ known: { ...draft.known, [key]: text } });
    if (isChoiceKey(key))
      return (
        <Select<string>
          key={key}
          label={label}
          options={[
            { value: '', label: t('parks.new.facilities.unknown') },
            ...PARK_FACTS[key].map((one) => ({ value: one, label: t(choiceLabel(key, one)) })),
          ]}
          value={value}
          onChange={write}
        />
      );
    const isNumber = isNumberKey(key);
    return (
      <TextField
        key={key}
        label={label}
        optional
        hint={isNumber ? t('parks.suggest.metres') : undefined}
        error={problem(key)}
        value={value}
        onChange={(event) => write(event.target.value)}
        {...(isNumber
          ? { type: 'number', inputMode: 'decimal', step: 0.1, ...rangeOf(key) }
          : { dir: 'ltr', maxLength: PARK_FACTS[key], placeholder: EXAMPLES[key] })}
      />
    );
  });
}

const rangeOf = (key: NumberKey) => ({ min: PARK_FACTS[key].from, max: PARK_FACTS[key].to });

function NameFields({ draft, onChange, problems }: FieldsProps) {
  const t = useT();
  const problem = useProblem(problems);
  return (
    <>
      {LANGUAGE_CODES.map((code) => (
        <TextField
          key={code}
          label={t('parks.suggest.nameIn', { language: LANGUAGES[code].name })}
          lang={code}
          dir={LANGUAGES[code].direction}
          value={draft.names[code]}
          error={problem(`name.${code}`)}
          onChange={(event) => onChange({ names: { ...draft.names, [code]: event.target.value } })}
        />
      ))}
      {(['city', 'address'] as const).map((name) => (
        <TextField
          key={name}
          label={t(`parks.new.${name}`)}
          value={draft[name]}
          error={problem(name)}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      ))}
    </>
  );
}

function ClaimFields({ park, draft, onChange, problems }: FieldsProps & { park: Park }) {
  const t = useT();
  const problem = useProblem(problems);
  // The published list, which the map has already fetched.
  const { data: list, error, refetch } = useQuery(parkListQueryOptions(useLanguage()));
  const nearby = list
    ?.filter(({ id }) => id !== park.id)
    .map(({ id, name, location }) => ({ id, name, metres: distanceBetween(park, location) }))
    .sort((a, b) => a.metres - b.metres)
    .slice(0, NEARBY);
  return (
    <>
      <ChipGroup<ParkClaim | ''>
        label={t('parks.suggest.claim')}
        options={(['', ...PARK_CLAIMS] as const).map((value) => ({
          value,
          label: t(`parks.suggest.claim.${value === '' ? 'none' : value}`),
        }))}
        value={draft.claim}
        onChange={(claim) => onChange({ claim })}
      />
      {draft.claim === 'duplicate' && !nearby && (
        <Loading error={error} refetch={refetch} height="4rem" />
      )}
      {draft.claim === 'duplicate' && nearby && (
        <Select
          label={t('parks.suggest.duplicateOf')}
          placeholder={t('parks.suggest.choosePark')}
          options={nearby.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={draft.duplicateOf === null ? '' : String(draft.duplicateOf)}
          onChange={(id) => onChange({ duplicateOf: Number(id) })}
          error={problem('duplicateOf')}
        />
      )}
    </>
  );
}
