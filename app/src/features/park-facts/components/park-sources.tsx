// The credit of a park's source. When expanded, lists the source and date of each fact.
import { PARK_FACT_KEYS, type ParkFactKey } from '../../../../../shared/park-facts.ts';
import { factLabel } from '#/entities/parks/park-facts.ts';
import { COLUMN_LABELS } from '#/features/park-facts/fact-labels.ts';
import { COLUMN_FACTS, type ColumnFact } from '#/features/park-facts/facts-draft.ts';
import type { Park } from '#/entities/parks/park.ts';
import { type MessageKey, useLocale, useT } from '#/i18n/i18n.ts';
import { LIST } from '#/i18n/list-format.ts';
import { ODBL_URL } from '#/entities/parks/licences.ts';
import { DAY } from '#/i18n/day-format.ts';
import styles from './park-sources.module.css';

const OSM = 'https://www.openstreetmap.org/copyright';

interface SourcedFact {
  label: MessageKey;
  /** 'community', or the name of a source. */
  source: string;
  /** For example 2026-11-22; null if unknown. */
  date: string | null;
}

/** Lists the known facts with their sources. Facts without a source have the park's. */
function sourcedFacts(park: Park): SourcedFact[] {
  const own = { source: park.source ?? 'user', date: park.source_date };
  const of = (key: ParkFactKey | ColumnFact, label: MessageKey): SourcedFact => {
    const [source, date] = park.fact_sources[key] ?? [own.source, own.date];
    // Parks that users have added, and the demo's parks, have 'community' as source.
    return { label, source: ['user', 'demo'].includes(source) ? 'community' : source, date };
  };
  return [
    ...COLUMN_FACTS.filter((column) => (park[column] ?? '').toString() !== '').map((column) =>
      of(column, COLUMN_LABELS[column]),
    ),
    ...PARK_FACT_KEYS.filter((key) => park.facts[key] !== undefined).map((key) =>
      of(key, factLabel(key)),
    ),
  ];
}

export function ParkSources({ park }: { park: Park }) {
  const t = useT();
  const locale = useLocale();
  const sourced = park.listed ? [] : sourcedFacts(park);
  const groups = new Map<string, SourcedFact[]>();
  for (const one of sourced) {
    const key = `${one.source} ${one.date ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const list = new Intl.ListFormat(locale, LIST);
  const date = new Intl.DateTimeFormat(locale, { ...DAY, timeZone: 'UTC' });
  return (
    <>
      {sourced.length > 0 && (
        <details className={styles.sources}>
          <summary>{t('parks.about.sources')}</summary>
          <ul>
            {[...groups.values()].map((group) => {
              const [first] = group;
              if (!first) return null;
              const values = {
                facts: list.format(group.map(({ label }) => t(label))),
                source: first.source === 'community' ? t('parks.about.people') : first.source,
              };
              return (
                <li key={`${first.source} ${first.date ?? ''}`}>
                  {first.date === null
                    ? t('parks.about.saidBy', values)
                    : t('parks.about.saidByOn', {
                        ...values,
                        date: date.format(new Date(`${first.date}T00:00Z`)),
                      })}
                </li>
              );
            })}
          </ul>
        </details>
      )}
      <SourceCredit park={park} />
    </>
  );
}

/** OpenStreetMap data is licensed under the ODbL, which requires attribution wherever it is shown. */
function SourceCredit({ park }: { park: Park }) {
  const t = useT();
  // No credit, because the demo's parks are invented and users who add parks are not named.
  if (!park.source || ['demo', 'user'].includes(park.source)) return null;
  const openStreetMap = /osm|openstreetmap/i.test(park.source);
  return (
    <p className={styles.credit}>
      {openStreetMap ? (
        <>
          <a href={OSM} target="_blank" rel="noreferrer">
            {t('parks.about.osm')}
          </a>
          {', '}
          <a href={ODBL_URL} target="_blank" rel="noreferrer">
            {t('parks.about.odbl')}
          </a>
        </>
      ) : (
        t('parks.about.source', { source: park.source, licence: park.licence ?? '' })
      )}
    </p>
  );
}
