// The result of an import: what became of every row, and what looks wrong.
import type { Conflict, Plan, Review, Vanished } from '#/product/imports/match-parks.ts';
import type { RowResult } from '#/product/imports/validate-rows.ts';
import type { Park } from '#/product/imports/validate-park.ts';

/** Lists of a report are cut at this length; their counts are complete. */
export const MAX_LISTED = 100;
const MAX_ROWS = 5;
const MAX_PREVIEWED = 10;
const MAX_PLACES = 2000;

/** Rows with the same reason. */
interface Group {
  count: number;
  /** The first of the rows. */
  rows: number[];
}

export interface Rejected {
  row: number;
  column: string;
  value: string;
  expected: string;
}

/** What looks wrong about a file as a whole; `count` of `total` parks. */
export interface Oddity {
  type: 'outside' | 'moved' | 'renamed' | 'rejected' | 'same place';
  count: number;
  total: number;
}

export interface ImportReport {
  /** The rows of the file; each is in one of the next six numbers. */
  rows: number;
  new: number;
  changed: number;
  unchanged: number;
  leftOut: number;
  rejected: number;
  needsReview: number;
  rejectedRows: Rejected[];
  leftOutRows: (Group & { reason: string })[];
  /** Values that are not understood; their parks are imported without them. */
  dropped: (Group & { column: string; value: string; expected: string })[];
  reviews: Review[];
  conflicts: Conflict[];
  vanished: Vanished[];
  /** Columns that are not read. */
  unread: string[];
  /** Parks without a name, which are called by their street or "Dog park". */
  nameless: number;
  /** Public shelters, to which distances are measured. */
  shelters: number;
  /** Parks that become a second source of a known park. */
  joined: number;
  odd: Oddity[];
  /** The name of the site's area. */
  area: string;
  preview: { row: number; park: Park }[];
  places: { lat: number; long: number }[];
  /** Whether it was written. */
  written: boolean;
  /** The id of the import; null if nothing was changed. */
  id: string | null;
}

/** Groups rows by a reason, with a bounded number of reasons. */
function createGroups<Reason extends object>() {
  const groups = new Map<string, Reason & Group>();
  return {
    add(row: number, reason: Reason) {
      const key = JSON.stringify(reason);
      const group = groups.get(key) ?? { ...reason, count: 0, rows: [] };
      group.count += 1;
      if (group.rows.length < MAX_ROWS) group.rows.push(row);
      if (groups.size < MAX_LISTED || groups.has(key)) groups.set(key, group);
    },
    list: () => [...groups.values()],
  };
}

/** A share of the parks that is too large to be an accident. */
const isMany = (count: number, total: number, share: number) =>
  count > 0 && total > 0 && count / total >= share;
/** Fewer parks can have anything in common by accident. */
const FEW = 5;

/** Collects the results of rows while they are read. */
export function createReport() {
  const counts = { rows: 0, parks: 0, leftOut: 0, rejected: 0, outside: 0, nameless: 0 };
  const rejectedRows: Rejected[] = [];
  const leftOut = createGroups<{ reason: string }>();
  const dropped = createGroups<{ column: string; value: string; expected: string }>();
  const preview: ImportReport['preview'] = [];
  const places: ImportReport['places'] = [];
  let unread: readonly string[] = [];
  return {
    setUnread: (columns: readonly string[]) => void (unread = columns),
    add(result: RowResult, isOutside: (park: Park) => boolean) {
      counts.rows += 1;
      switch (result.type) {
        case 'rejected': {
          const { row, column, value, expected } = result;
          counts.rejected += 1;
          if (rejectedRows.length < MAX_LISTED) rejectedRows.push({ row, column, value, expected });
          break;
        }
        case 'left out':
          counts.leftOut += 1;
          leftOut.add(result.row, { reason: result.reason });
          break;
        case 'shelter':
          counts.leftOut += 1;
          leftOut.add(result.row, { reason: 'public shelter' });
          break;
        case 'park': {
          const { row, park, hasName } = result;
          counts.parks += 1;
          if (!hasName) counts.nameless += 1;
          if (isOutside(park)) counts.outside += 1;
          for (const one of result.dropped) dropped.add(row, one);
          if (preview.length < MAX_PREVIEWED) preview.push({ row, park });
          if (places.length < MAX_PLACES) places.push({ lat: park.lat, long: park.long });
        }
      }
    },
    /** @param plan what writing would do */
    finish(plan: Plan, { area, shelters }: { area: string; shelters: number }): ImportReport {
      const { parks, rejected } = counts;
      const { crowded } = plan;
      const signs: (Oddity & { is: boolean })[] = [
        {
          type: 'outside',
          count: counts.outside,
          total: parks,
          is: isMany(counts.outside, parks, 0.1),
        },
        { type: 'moved', count: plan.moved, total: plan.known, is: plan.moved > 0 },
        {
          type: 'renamed',
          count: plan.renamed,
          total: plan.known,
          is: plan.renamed >= FEW && isMany(plan.renamed, plan.known, 0.3),
        },
        {
          type: 'rejected',
          count: rejected,
          total: parks + rejected,
          is: rejected >= FEW && isMany(rejected, parks + rejected, 0.5),
        },
        {
          type: 'same place',
          count: crowded,
          total: parks,
          is: crowded >= FEW && isMany(crowded, parks, 0.2),
        },
      ];
      return {
        rows: counts.rows,
        new: plan.new,
        changed: plan.changed,
        unchanged: plan.unchanged,
        leftOut: counts.leftOut,
        rejected,
        needsReview: plan.reviews.length,
        rejectedRows,
        leftOutRows: leftOut.list(),
        dropped: dropped.list(),
        reviews: plan.reviews,
        conflicts: plan.conflicts,
        vanished: plan.vanished,
        unread: [...unread],
        nameless: counts.nameless,
        shelters,
        joined: plan.joined,
        odd: signs.filter(({ is }) => is).map(({ type, count, total }) => ({ type, count, total })),
        area,
        preview,
        places,
        written: false,
        id: null,
      };
    },
  };
}
