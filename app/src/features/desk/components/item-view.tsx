// A desk item: its type, its age, and the information for the decision.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { History } from '#/features/desk/components/history.tsx';
import type { NamedPlace } from '#/features/desk/components/place-map.tsx';
import { ReportLines } from '#/features/desk/components/report-lines.tsx';
import { type DeskText, fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import {
  type Changed,
  type DeskItem,
  type ParkSummary,
  photoQueryOptions,
} from '#/features/desk/queries/desk.ts';
import { useTimeFormat } from '#/features/desk/use-date-format.ts';
import { distanceBetween, formatDistance, type LatLong } from '#/core/distance.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { useLocale } from '#/i18n/i18n.ts';
import { Chip } from '#/ui/chip.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { Stars } from '#/ui/stars.tsx';
import styles from './desk.module.css';

const PlaceMap = lazyPart(
  () => import('#/features/desk/components/place-map.tsx'),
  undefined,
  <Skeleton height="16rem" />,
);

/** Types of items that are shown on a map, because the decision depends on a position. */
const MAPPED = new Set(['park', 'correction', 'merge']);

/**
 * Returns the positions of an item: the current and the suggested one, a park and its duplicate, or only the park. Null for items
 * without a park.
 */
function placesOf(item: DeskItem, text: DeskText): readonly [NamedPlace, ...NamedPlace[]] | null {
  const { park, other, before, after } = item;
  if (!park) return null;
  const named = (place: ParkSummary) => ({ label: place.name ?? text.item.map, place });
  if (other) return [named(park), named(other)];
  if (isPlace(before?.place) && isPlace(after?.place))
    return [
      { label: text.item.before, place: before.place },
      { label: text.item.after, place: after.place },
    ];
  return [{ label: text.item.map, place: park }];
}

export function ItemView({ item }: { item: DeskItem }) {
  const text = useDeskText();
  const formatTime = useTimeFormat();
  const locale = useLocale();
  const { park, review, user, reports, contributor } = item;
  const places = MAPPED.has(item.type) ? placesOf(item, text) : null;
  return (
    <div className={styles.stack}>
      <header className={styles.head}>
        <h2 tabIndex={-1}>{textOf(text.types, item.type)}</h2>
        <Chip className={item.overdue ? styles.overdue : undefined}>
          {fill(text.queue.since, { time: formatTime(item.since) })}
          {item.overdue && ` · ${text.queue.overdue}`}
        </Chip>
      </header>
      {park && (
        <Park
          park={park}
          isNew={item.type === 'park'}
          becomes={item.other ? fill(text.item.goes, { into: `#${item.other.id}` }) : undefined}
        />
      )}
      {park && item.other && (
        <>
          <Park park={item.other} isNew={false} becomes={text.item.stays} />
          <p>
            {fill(text.item.apart, {
              distance: formatDistance(distanceBetween(park, item.other), locale),
            })}
          </p>
        </>
      )}
      {item.photo && <Photo photo={item.photo} />}
      {review && (
        <blockquote className={styles.quote}>
          <Stars rank={review.rank} />
          {review.title && (
            <p dir="auto">
              <strong>{review.title}</strong>
            </p>
          )}
          <p dir="auto">{review.content}</p>
        </blockquote>
      )}
      {item.after && <Changes before={item.before} after={item.after} />}
      {reports && (
        <section>
          <h3 className={styles.label}>{text.item.reports}</h3>
          <ReportLines reports={reports} />
        </section>
      )}
      {review?.anonymous && <p className="soft">{text.item.anonymous}</p>}
      {user && (
        <section>
          <h3 className={styles.label}>
            <Link to="/desk/{-$view}" params={{ view: 'users' }} search={{ user: user.id }}>
              <bdi>{user.name}</bdi>
            </Link>
          </h3>
          <History lines={user.history} />
        </section>
      )}
      {contributor && <p className="soft">{fill(text.item.contributor, contributor)}</p>}
      {places && <PlaceMap places={places} />}
      {item.nearby && item.nearby.length > 0 && (
        <section>
          <h3 className={styles.label}>{text.item.nearby}</h3>
          <ul className="grid-2">
            {item.nearby.map((near) => (
              <li key={near.id}>
                <Link to="/parks/$parkId" params={{ parkId: near.id }}>
                  <bdi>{near.name}</bdi>
                </Link>{' '}
                <span className="soft">{formatDistance(near.metres ?? 0, locale)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** @param becomes whether this park is kept or merged into the other one, if the item is about a duplicate */
function Park({
  park,
  isNew,
  becomes,
}: {
  park: ParkSummary;
  isNew: boolean;
  becomes?: string | undefined;
}) {
  const name = <bdi>{park.name}</bdi>;
  return (
    <p className={styles.park}>
      <strong>
        {isNew ? (
          name
        ) : (
          <Link to="/parks/$parkId" params={{ parkId: park.id }}>
            {name}
          </Link>
        )}
      </strong>
      <span className="soft">
        <bdi>{[park.address, park.city].filter(Boolean).join(' · ')}</bdi>
      </span>
      {becomes !== undefined && (
        <span>
          <bdi>#{park.id}</bdi> · {becomes}
        </span>
      )}
    </p>
  );
}

function Photo({ photo }: Required<Pick<DeskItem, 'photo'>>) {
  const text = useDeskText();
  const { data, error, refetch } = useQuery(photoQueryOptions(photo));
  if (!data) return <Loading error={error} refetch={refetch} height="16rem" />;
  return <img src={data} alt={text.item.photo} className={styles.photo} />;
}

const isPlace = (value: unknown): value is LatLong =>
  typeof value === 'object' && value !== null && 'lat' in value && 'long' in value;

/** Current and suggested values side by side. New items have only suggested values. */
function Changes({ before, after }: { before: Changed | undefined; after: Changed }) {
  const text = useDeskText();
  const locale = useLocale();
  const write = (value: unknown): string => {
    if (isPlace(value)) return `\u2066${value.lat}, ${value.long}\u2069`;
    if (value === null || value === undefined || value === '') return text.item.nothing;
    if (typeof value === 'boolean') return value ? text.fields.yes : text.fields.no;
    if (Array.isArray(value)) return value.map(write).join(', ') || text.item.nothing;
    if (typeof value === 'object')
      return (
        Object.entries(value)
          .map(([key, inner]) => `${textOf(text.fields, key)}: ${write(inner)}`)
          .join('\n') || text.item.nothing
      );
    return textOf(text.values, String(value));
  };
  const moved = (from: unknown, to: unknown) =>
    isPlace(from) &&
    isPlace(to) && <p className="soft">{formatDistance(distanceBetween(from, to), locale)}</p>;
  /** Field names have parts: `name.he` is the name in Hebrew, and `fact.lit` is a fact with its OpenStreetMap key. */
  const label = (field: string): string => {
    const [base = field, ...rest] = field.split('.');
    const of = rest.join('.');
    return of === ''
      ? textOf(text.fields, base)
      : `${textOf(text.fields, base)} (${textOf(text.values, of)})`;
  };
  const fields = Object.keys(after);
  if (fields.length === 0) return null;
  return (
    <table className={styles.changes}>
      {before && (
        <thead>
          <tr>
            <td />
            <th scope="col">{text.item.before}</th>
            <th scope="col">{text.item.after}</th>
          </tr>
        </thead>
      )}
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row">{label(field)}</th>
            {before && (
              <td className="soft">
                <bdi>{write(before[field])}</bdi>
              </td>
            )}
            <td>
              <bdi>{write(after[field])}</bdi>
              {moved(before?.[field], after[field])}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
