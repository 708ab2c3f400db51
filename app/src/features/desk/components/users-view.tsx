// Finds users by name, email or ID, and shows the decisions about one of them and possible sanctions.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import { useSession } from '#/data/session/session.ts';
import { MAX_SEARCH } from '#/entities/users/user-limits.ts';
import { revokeSanction } from '#/features/desk/commands/decide.ts';
import { nameForTown, removeFactors } from '#/features/desk/commands/site.ts';
import { History } from '#/features/desk/components/history.tsx';
import { SanctionSheet } from '#/features/desk/components/sanction-sheet.tsx';
import { ReauthenticateSheet } from '#/features/desk/components/reauthenticate-sheet.tsx';
import { ReportLines } from '#/features/desk/components/report-lines.tsx';
import { fill, useDeskText } from '#/features/desk/desk-text.ts';
import {
  usersQueryOptions,
  userQueryOptions,
  roleQueryOptions,
} from '#/features/desk/queries/desk.ts';
import { useDayFormat } from '#/features/desk/use-date-format.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { Chip } from '#/ui/chip.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { FetchFailed, Loading } from '#/ui/fetch-failed.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { showError } from '#/ui/toast.ts';
import styles from './desk.module.css';

const TownForm = lazyPart(
  () => import('#/features/desk/components/town-form.tsx'),
  PartMissing,
  <Skeleton height="24rem" />,
);

export default function UsersView({ user }: { user: string | undefined }) {
  return user === undefined ? <UsersSearch /> : <UserView key={user} id={user} />;
}

function UsersSearch() {
  const text = useDeskText();
  const day = useDayFormat();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const { data, error, isFetching, refetch } = useQuery(usersQueryOptions(asked));
  return (
    <div className={styles.stack}>
      {/* The search runs only on submit, because each search is written to the audit log. */}
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(typed);
        }}
      >
        <TextField
          type="search"
          icon={Search}
          label={text.users.search}
          value={typed}
          maxLength={MAX_SEARCH}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
      <div aria-live="polite" aria-busy={isFetching}>
        {error ? (
          <FetchFailed error={error} onRetry={() => void refetch()} />
        ) : isFetching ? (
          <Skeleton height="12rem" />
        ) : data?.length === 0 ? (
          <EmptyState pose="sniffing" text={text.users.none} />
        ) : (
          <ul className="grid-2">
            {data?.map((found) => (
              <li key={found.id} className={styles.line}>
                <Link to="/desk/{-$view}" params={{ view: 'users' }} search={{ user: found.id }}>
                  <bdi>{found.name}</bdi>
                </Link>
                <span className="soft">{fill(text.users.joined, { date: day(found.joined) })}</span>
                {found.role && <Chip tone="sky">{text.users.roles[found.role]}</Chip>}
                {found.reports > 0 && (
                  <Chip tone="sand">{fill(text.users.reports, { count: found.reports })}</Chip>
                )}
                {found.limited && <Chip tone="alert">{text.users.limited}</Chip>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function UserView({ id }: { id: string }) {
  const text = useDeskText();
  const day = useDayFormat();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(userQueryOptions(id));
  const [acting, setActing] = useState(false);
  const [proving, setProving] = useState<'removeFactor' | 'endTown' | null>(null);
  const isAdministrator = useQuery(roleQueryOptions(useSession().userId)).data === 'administrator';
  const [naming, setNaming] = useState(false);
  const [code, setCode] = useState<string | null>(null);
  if (data === undefined) return <Loading error={error} refetch={refetch} height="20rem" />;
  if (data === null) return <EmptyState text={text.users.none} />;

  const renew = () => client.invalidateQueries(userQueryOptions(id));
  const revoke = (sanction: string) => void revokeSanction(sanction).catch(showError).then(renew);
  return (
    <Card as="article">
      <div className={styles.stack}>
        <Link to="/desk/{-$view}" params={{ view: 'users' }}>
          {text.users.back}
        </Link>
        <header>
          <h2>
            <bdi>{data.name}</bdi>
          </h2>
          <p className="soft">
            {fill(text.users.joined, { date: day(data.joined) })} ·{' '}
            {fill(text.users.dogs, { count: data.dogs })} ·{' '}
            {fill(text.users.reports, { count: data.reports.length })}
          </p>
        </header>
        {data.reports.length > 0 && <ReportLines reports={data.reports} />}
        <section>
          <h3 className={styles.label}>{text.item.history}</h3>
          <History lines={data.history} onRevoke={data.may_act ? revoke : undefined} />
        </section>
        {data.may_act && (
          <Button variant="danger" onClick={() => setActing(true)}>
            {text.sanctions.what}
          </Button>
        )}
        {data.role && <Chip tone="sky">{text.users.roles[data.role]}</Chip>}
        {data.second_factor && (
          <Button variant="quiet" onClick={() => setProving('removeFactor')}>
            {text.users.removeFactor}
          </Button>
        )}
        {isAdministrator && (data.role === null || data.role === 'town') && (
          <div className="wrap-2">
            <Button variant="quiet" onClick={() => setNaming(!naming)} aria-expanded={naming}>
              {text.naming.name}
            </Button>
            {data.role === 'town' && (
              <Button variant="quiet" onClick={() => setProving('endTown')}>
                {text.naming.end}
              </Button>
            )}
          </div>
        )}
        {naming && (
          <TownForm
            userId={id}
            onNamed={(given) => {
              setNaming(false);
              setCode(given);
              void renew();
            }}
          />
        )}
        <p role="status">
          {code !== null && (code === '' ? text.naming.done : fill(text.naming.code, { code }))}
        </p>
      </div>
      {proving && (
        <ReauthenticateSheet
          title={proving === 'endTown' ? text.naming.end : text.users.removeFactor}
          about={proving === 'endTown' ? text.naming.endAbout : text.users.removeFactorAbout}
          onClose={() => setProving(null)}
          onReauthenticated={async () => {
            await (proving === 'endTown' ? nameForTown(id, null) : removeFactors(id));
            setProving(null);
            setCode(null);
            await renew();
          }}
        />
      )}
      {acting && (
        <SanctionSheet
          about={{ type: 'user', id }}
          onClose={() => setActing(false)}
          onDone={() => {
            setActing(false);
            void renew();
          }}
        />
      )}
    </Card>
  );
}
