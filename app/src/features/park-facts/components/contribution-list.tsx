// The user's contributions to parks with place, date and status.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Camera, CircleCheck, CircleX, Hourglass, Pencil, Trees } from 'lucide-react';
import {
  type Contribution,
  myContributionsQueryOptions,
} from '#/features/park-facts/queries/my-contributions.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { Chip } from '#/ui/chip.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './contribution-list.module.css';

const TYPE_ICONS = { park: Trees, suggestion: Pencil, photo: Camera } as const;

const STATES = {
  pending: { icon: Hourglass, tone: 'sand' },
  approved: { icon: CircleCheck, tone: 'park' },
  rejected: { icon: CircleX, tone: 'neutral' },
} as const;

export function ContributionList() {
  const t = useT();
  const { data, error, refetch } = useQuery(myContributionsQueryOptions());
  return (
    <section aria-labelledby="contributions" className={styles.section}>
      <h2 id="contributions" className="text-3">
        {t('parks.contributions.title')}
      </h2>
      {data ? (
        data.length > 0 ? (
          <ul className="column-3">
            {data.map((contribution) => (
              <Row key={`${contribution.type} ${contribution.id}`} contribution={contribution} />
            ))}
          </ul>
        ) : (
          <EmptyState
            pose="sniffing"
            text={t('parks.contributions.empty')}
            action={
              <ButtonLink to="/parks/new" variant="secondary">
                {t('ui.addPark')}
              </ButtonLink>
            }
          />
        )
      ) : (
        <Loading error={error} refetch={refetch} height="6rem" />
      )}
    </section>
  );
}

function Row({ contribution }: { contribution: Contribution }) {
  const t = useT();
  const locale = useLocale();
  const { type, status, park_id: parkId, created_at } = contribution;
  const { icon, tone } = STATES[status];
  const name = <bdi>{contribution.park_name}</bdi>;
  return (
    <li className="row-wrap-3">
      <Icon of={TYPE_ICONS[type]} />
      <span className={styles.texts}>
        {type === 'park' && status === 'rejected' ? (
          <strong>{name}</strong>
        ) : (
          <Link to="/parks/$parkId" params={{ parkId }} className={styles.park}>
            {name}
          </Link>
        )}
        <span className="note">
          {t(`parks.contributions.${type}`)}
          {' · '}
          <time dateTime={created_at}>
            {new Intl.DateTimeFormat(locale, DAY).format(new Date(created_at))}
          </time>
        </span>
      </span>
      <Chip icon={icon} tone={tone}>
        {t(`parks.contributions.${status}`)}
      </Chip>
    </li>
  );
}
