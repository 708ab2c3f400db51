// The filters of the list, in a sheet; each choice acts at once and stands in the address.
import {
  countFilters,
  type Ground,
  GROUNDS,
  NO_FILTERS,
  type ParkSearch,
  SHADE_STEPS,
  type Size,
  SIZES,
  words,
} from '#/features/parks/park-search.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Switch } from '#/ui/checkbox.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './park-filters.module.css';

interface ParkFiltersProps {
  open: boolean;
  onClose: () => void;
  search: ParkSearch;
  /** Gets only what changed. */
  onChange: (patch: Partial<ParkSearch>) => void;
  /** How many parks the filters leave. */
  found: number;
}

const ANY = 'any';

export function ParkFilters({ open, onClose, search, onChange, found }: ParkFiltersProps) {
  const t = useT();
  const joined = (values: readonly string[]) => values.join(',') || undefined;
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('parks.list.filters')}
      footer={
        <>
          {countFilters(search) > 0 && (
            <Button variant="secondary" onClick={() => onChange(NO_FILTERS)}>
              {t('parks.list.clearFilters')}
            </Button>
          )}
          <Button onClick={onClose}>{t('parks.list.showResults', { count: found })}</Button>
        </>
      }
    >
      <div className={styles.groups}>
        <ChipGroup<'fewer' | 'more' | typeof ANY>
          label={t('parks.filter.dogs')}
          options={([ANY, 'fewer', 'more'] as const).map((value) => ({
            value,
            label: t(`parks.filter.dogs.${value}`),
          }))}
          value={search.dogs ?? ANY}
          onChange={(dogs) => {
            onChange({ dogs: dogs === ANY ? undefined : dogs });
          }}
        />
        <ChipGroup<Size>
          multiple
          label={t('parks.filter.size')}
          options={SIZES.map((value) => ({ value, label: t(`parks.size.${value}`) }))}
          value={words<Size>(search.size)}
          onChange={(size) => {
            onChange({ size: joined(size) });
          }}
        />
        <ChipGroup<Ground>
          multiple
          label={t('parks.filter.ground')}
          options={GROUNDS.map((value) => ({ value, label: t(`parks.ground.${value}`) }))}
          value={words<Ground>(search.ground)}
          onChange={(ground) => {
            onChange({ ground: joined(ground) });
          }}
        />
        <ChipGroup<string>
          label={t('parks.filter.shade')}
          options={[
            { value: ANY, label: t('parks.filter.shadeAny') },
            ...SHADE_STEPS.map((hours) => ({
              value: String(hours),
              label: t('parks.filter.shadeAtLeast', { hours }),
            })),
          ]}
          value={search.shade === undefined ? ANY : String(search.shade)}
          onChange={(value) => {
            onChange({ shade: SHADE_STEPS.find((hours) => String(hours) === value) });
          }}
        />
        <Switch
          label={t('parks.filter.facilities')}
          checked={search.facilities === true}
          onChange={(on) => {
            onChange({ facilities: on ? true : undefined });
          }}
        />
      </div>
    </Sheet>
  );
}
