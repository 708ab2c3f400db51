// All filters of park-filters.ts in a sheet. Each choice takes effect immediately and is stored in the URL.
import {
  choose,
  chosen,
  countFilters,
  type FilterName,
  NO_FILTERS,
  type ParkFilter,
  type ParkFilterSearch,
  parkFilters,
} from '#/features/park-lists/park-filters.ts';
import { PARK_ORDERS, type ParkOrder } from '#/features/park-lists/park-order.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { useAnnounce } from '#/ui/announcements.ts';

interface ParkFiltersProps {
  open: boolean;
  onClose: () => void;
  search: ParkFilterSearch;
  onChange: (patch: ParkFilterSearch) => void;
  /** True if the distances to the parks are known. */
  placed: boolean;
  /** Number of parks that match the filters; undefined while loading. */
  found: number | undefined;
  /** The order of the parks, for screens without another control for it. */
  order?: { value: ParkOrder; onChange: (order: ParkOrder) => void };
}

const ANY = 'any';

/** Filters with a switch, and filters with several choices. */
const FLAGS = parkFilters.filter(([, { options }]) => options[0] === true);
const CHOICES = parkFilters.filter(([, { options }]) => options[0] !== true);

export function ParkFilters({
  open,
  onClose,
  search,
  onChange,
  placed,
  found,
  order,
}: ParkFiltersProps) {
  const t = useT();
  useAnnounce(!open || found === undefined ? null : t('parks.list.found', { count: found }));
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
          <Button busy={found === undefined} onClick={onClose}>
            {t('parks.list.showResults', { count: found ?? 0 })}
          </Button>
        </>
      }
    >
      <div className="grid-5">
        {order && (
          <ChipGroup
            label={t('parks.list.orderLabel')}
            options={PARK_ORDERS.map((each) => ({
              value: each,
              label: t(`parks.list.sort.${each}`),
            }))}
            value={order.value}
            onChange={(value) => order.onChange(value)}
          />
        )}
        <ChipGroup
          multiple
          label={t('parks.filter.flags')}
          options={FLAGS.map(([name, { label }]) => ({ value: name, label: t(label) }))}
          value={FLAGS.flatMap(([name]) => (chosen(name, search).length > 0 ? name : []))}
          onChange={(names) =>
            onChange(
              Object.assign(
                {},
                ...FLAGS.map(([name, { options }]) =>
                  choose(name, names.includes(name) ? options : []),
                ),
              ) as ParkFilterSearch,
            )
          }
        />
        {CHOICES.filter(([name]) => placed || name !== 'near').map(([name, filter]) => (
          <Choices key={name} name={name} filter={filter} search={search} onChange={onChange} />
        ))}
      </div>
    </Sheet>
  );
}

interface ChoicesProps {
  name: FilterName;
  filter: ParkFilter;
  search: ParkFilterSearch;
  onChange: (patch: ParkFilterSearch) => void;
}

function Choices({ name, filter, search, onChange }: ChoicesProps) {
  const t = useT();
  const { several, options, label, option: format } = filter;
  const on = chosen(name, search);
  const chips = options.map((one) => ({ value: String(one), label: format(t, one) }));
  const set = (values: readonly string[]) =>
    onChange(
      choose(
        name,
        options.filter((option) => values.includes(String(option))),
      ),
    );
  return several ? (
    <ChipGroup multiple label={t(label)} options={chips} value={on.map(String)} onChange={set} />
  ) : (
    <ChipGroup
      label={t(label)}
      options={[{ value: ANY, label: t('parks.filter.any') }, ...chips]}
      value={on.length > 0 ? String(on[0]) : ANY}
      onChange={(value) => set([value])}
    />
  );
}
