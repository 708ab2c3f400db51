// The report of an import: the outcome of every row, and warnings about the file.
import type { Plan } from '#/product/imports/match-parks.ts';
import type { RowResult } from '#/product/imports/validate-rows.ts';
import type { Park } from '#/product/imports/validate-park.ts';
import type {
  Expected,
  ImportReport as SharedReport,
  Oddity,
  RejectedRow,
  RowGroup,
} from '../../../../shared/import-report.ts';

/** Maximum length of a list in a report. Counts are always complete. */
export const MAX_LISTED = 100;
const MAX_ROWS = 5;
const MAX_PREVIEWED = 10;

export interface ImportReport extends SharedReport {
  preview: { row: number; park: Park }[];
}

/** Groups rows by reason. The number of reasons is limited. */
function createGroups<Reason extends object>() {
  const groups = new Map<string, Reason & RowGroup>();
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

/** Returns true if a share of the parks is too large to be a coincidence. */
const isMany = (count: number, total: number, share: number) =>
  count > 0 && total > 0 && count / total >= share;
/** Minimum number of parks for a warning, because fewer parks may have something in common by coincidence. */
const FEW = 5;

export function createReport() {
  const counts = { rows: 0, parks: 0, leftOut: 0, rejected: 0, outside: 0, nameless: 0 };
  const rejectedRows: RejectedRow[] = [];
  const leftOut = createGroups<{ reason: string }>();
  const dropped = createGroups<{ column: string; value: string; expected: Expected }>();
  const preview: ImportReport['preview'] = [];
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
        }
      }
    },
    /** @param plan the changes that writing would make */
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
        places: plan.places,
        written: false,
        id: null,
      };
    },
  };
}
