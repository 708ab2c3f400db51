// Searches users by their or a dog's name. Visitors may search, but sending a friend request requires a login.
import { createFileRoute } from '@tanstack/react-router';
import { UserSearch } from '#/features/users/components/user-search.tsx';

export const Route = createFileRoute('/users')({
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    typeof q === 'string' ? { q } : {},
  component: UsersScreen,
});

function UsersScreen() {
  const { q } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <UserSearch
      text={q ?? ''}
      onSearch={(text) =>
        void navigate({ search: text ? { q: text } : {}, replace: true, resetScroll: false })
      }
    />
  );
}
