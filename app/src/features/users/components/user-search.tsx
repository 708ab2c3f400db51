// The debounced user search, which shows each user with their dogs.
import { useLocation } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type FoundUser, useSearchUsers } from '#/features/users/queries/search-users.ts';
import { MAX_SEARCH, MIN_SEARCH } from '#/entities/users/user-limits.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { useT } from '#/i18n/i18n.ts';
import { breedName, useBreedNames } from '#/i18n/breeds/breeds.ts';
import { saveIntent } from '#/data/session/intent.ts';
import { useSession } from '#/data/session/session.ts';
import { useTypedSearch } from '#/core/use-typed-search.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Page } from '#/ui/page.tsx';
import { UserList } from '#/entities/users/user-list.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { useAnnounce } from '#/ui/announcements.ts';

interface UserSearchProps {
  /** The search text, stored in the URL. */
  text: string;
  onSearch: (text: string) => void;
}

export function UserSearch({ text, onSearch }: UserSearchProps) {
  const t = useT();
  const { status, userId } = useSession();
  const here = useLocation({ select: (location) => location.href });
  const [typed, setTyped] = useTypedSearch(text, onSearch);
  const { data, isFetching, refetch } = useSearchUsers(text);

  const found = (data?.users ?? []).filter((user) => user.id !== userId);
  useAnnounce(data && !data.failed ? t('users.search.found', { count: found.length }) : '');
  return (
    <Page>
      <PageHeader title={t('ui.findFriends')} />
      <search>
        <TextField
          type="search"
          icon={Search}
          label={t('users.search.label')}
          labelHidden
          placeholder={t('users.search.label')}
          value={typed}
          maxLength={MAX_SEARCH}
          onChange={(event) => setTyped(event.target.value)}
        />
      </search>
      {status === 'out' && (
        <p className="row-wrap-2 soft">
          {t('users.search.gate')}{' '}
          <ButtonLink
            variant="quiet"
            to="/login"
            search={{ mode: 'login' }}
            onClick={() => saveIntent(here)}
          >
            {t('ui.login')}
          </ButtonLink>
        </p>
      )}
      <div aria-busy={isFetching}>
        {text.trim().length < MIN_SEARCH ? (
          <EmptyState pose="sniffing" text={t('users.search.start')} />
        ) : !data ? (
          <Skeleton height="12rem" />
        ) : data.failed ? (
          <EmptyState
            pose="sleeping"
            text={t('users.search.failed')}
            action={
              <Button variant="secondary" busy={isFetching} onClick={() => void refetch()}>
                {t('ui.failed.tryAgain')}
              </Button>
            }
          />
        ) : found.length === 0 ? (
          <EmptyState pose="sniffing" text={t('users.search.none', { text })} />
        ) : (
          <UserList
            linked={status === 'in'}
            users={found.map((user) => ({
              id: user.id,
              name: user.name,
              picture: avatarUrl(user.dogs.find(({ photo }) => photo)?.photo),
              note: <Dogs dogs={user.dogs} />,
            }))}
          />
        )}
      </div>
    </Page>
  );
}

function Dogs({ dogs }: { dogs: FoundUser['dogs'] }) {
  const t = useT();
  const names = useBreedNames();
  if (dogs.length === 0) return t('users.search.noDogs');
  return (
    <ul>
      {dogs.map((dog) => {
        const breed = breedName(names, dog.breed);
        return (
          <li key={dog.id}>
            <bdi>{dog.name}</bdi>
            {breed && ` · ${breed}`}
          </li>
        );
      })}
    </ul>
  );
}
