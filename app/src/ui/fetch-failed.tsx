// The reason why a list could not be fetched, and a retry button.
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { Button } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';

interface FetchFailedProps {
  error: unknown;
  onRetry: () => void;
}

export function FetchFailed({ error, onRetry }: FetchFailedProps) {
  const t = useT();
  return (
    <EmptyState
      pose="sleeping"
      text={errorText(error)}
      action={
        <Button variant="secondary" onClick={onRetry}>
          {t('ui.failed.tryAgain')}
        </Button>
      }
    />
  );
}

interface LoadingProps {
  error: unknown;
  refetch: () => unknown;
  height: string;
}

type Query = Pick<LoadingProps, 'error' | 'refetch'>;

/** Combines two queries for `Loading`. */
export const combineQueries = (one: Query, other: Query): Query => ({
  error: one.error ?? other.error,
  refetch: () => Promise.all([one.refetch(), other.refetch()]),
});

/** Shown while a query is loading or after it has failed. */
export const Loading = ({ error, refetch, height }: LoadingProps) =>
  error ? (
    <FetchFailed error={error} onRetry={() => void refetch()} />
  ) : (
    <Skeleton height={height} />
  );
