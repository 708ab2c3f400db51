// Form fields for a park's optional facts, shared by the new-park form and suggestions.
import { areaUnit } from '#/core/distance.ts';
import type { FactsDraft } from '#/features/park-facts/facts-draft.ts';
import { MAX_SHADE } from '#/features/park-facts/park-limits.ts';
import { useT } from '#/i18n/i18n.ts';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { type FormProblems, useProblem } from '#/ui/form-problems.ts';
import { TextField } from '#/ui/text-field.tsx';
import { type Ground, GROUNDS } from '../../../../../shared/enums.ts';

interface ParkFactsFieldsProps {
  draft: FactsDraft;
  onChange: (patch: Partial<FactsDraft>) => void;
  problems: FormProblems;
  /** Keys of the fields to show; all if omitted. */
  only?: readonly string[] | undefined;
}

export function ParkFactsFields({ draft, onChange, problems, only }: ParkFactsFieldsProps) {
  const t = useT();
  const problem = useProblem(problems);
  const shows = (field: keyof FactsDraft) => !only || only.includes(field);
  return (
    <>
      {shows('size') && (
        <TextField
          label={t(areaUnit() === 1 ? 'parks.new.size' : 'parks.new.sizeInAcres')}
          optional
          inputMode="decimal"
          type="number"
          min={0}
          step="any"
          value={draft.size}
          onChange={(event) => onChange({ size: event.target.value })}
          error={problem('size')}
        />
      )}
      {shows('materials') && (
        <ChipGroup<Ground>
          multiple
          label={t('parks.filter.ground')}
          options={GROUNDS.map((value) => ({ value, label: t(`parks.ground.${value}`) }))}
          value={draft.materials}
          onChange={(materials) => onChange({ materials })}
        />
      )}
      {shows('shade') && (
        <TextField
          label={t('parks.new.shade')}
          optional
          inputMode="decimal"
          type="number"
          min={0}
          max={MAX_SHADE}
          step={0.5}
          value={draft.shade}
          onChange={(event) => onChange({ shade: event.target.value })}
          error={problem('shade')}
        />
      )}
      {shows('facilities') && (
        <ChipGroup<FactsDraft['facilities']>
          label={t('parks.new.facilities')}
          options={[
            { value: 'unknown', label: t('parks.new.facilities.unknown') },
            { value: 'yes', label: t('parks.about.yes') },
            { value: 'no', label: t('parks.about.no') },
          ]}
          value={draft.facilities}
          onChange={(facilities) => onChange({ facilities })}
        />
      )}
    </>
  );
}
