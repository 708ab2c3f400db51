// Queries for moderators and administrators, authorised by the database. Town representatives use town.ts.
import { queryOptions } from '@tanstack/react-query';
import type { Database } from '../../../../../shared/database.types.ts';
import type { DecisionReason, Role } from '../../../../../shared/enums.ts';
import type { SitePart } from '../../../../../shared/site-part.ts';
import { noteRejection } from '#/core/app-error.ts';
import { getConfig } from '#/platform/config.ts';
import { toAppError } from '#/i18n/errors.ts';
import { request, requestJson } from '#/data/request.ts';
import { requestAuth } from '#/data/session/auth-call.ts';
import { deskRoleKey } from '#/data/session/own-keys.ts';
import { supabase } from '#/data/supabase.ts';

type Functions = Database['public']['Functions'];
/** The number of pending items of a type, at most 100, and how many of them other moderators have claimed. */
export type QueueCount = Functions['desk_counts']['Returns'][number];
export type LogEntry = Functions['desk_audit_log']['Returns'][number];

export interface ParkSummary {
  id: number;
  name: string | null;
  city: string | null;
  address: string | null;
  lat: number;
  long: number;
  metres?: number;
}

export interface HistoryLine {
  sanction_id?: string;
  decision: string;
  reason: DecisionReason | null;
  until?: string | null;
  at: string;
  revoked_at: string | null;
}

/** Values of an item by the name of the field. */
export type Changed = Record<string, unknown>;

/** An item as returned by private.item_of. Each type of item has only some of the fields. */
export interface DeskItem {
  type: string;
  id: string;
  /** Identifies the content that is shown, because an item that has changed is not approved. */
  version: string;
  since: string;
  overdue: boolean;
  reasons: DecisionReason[];
  park?: ParkSummary;
  /** The second park if the item is about a duplicate. */
  other?: ParkSummary | null;
  before?: Changed;
  after?: Changed;
  nearby?: ParkSummary[];
  contributor?: { approved: number; rejected: number };
  photo?: { bucket: string; path: string };
  review?: { title: string; content: string; rank: number; anonymous: boolean };
  user?: { id: string; name: string; history: HistoryLine[] } | null;
  reports?: { reason: string; count: number; note?: string | null }[];
}

interface DeskUser {
  id: string;
  name: string;
  joined: string;
  role: Role | null;
  dogs: number;
  reports: { reason: string; note: string | null }[];
  history: HistoryLine[];
  may_act: boolean;
  /** True if the user has a second factor that this administrator may remove. */
  second_factor: boolean;
}

/** The host's status for administrators; see server/src/product/site/site-status.ts. */
export interface SiteStatus {
  numbers: Record<string, number>;
  parts: SitePart[];
  /** Messages of the operators' command `doctor`, in English. */
  notes: string[];
  backups: { name: string; bytes: number; made: string; places: ('disk' | 's3')[] }[];
  /** True if backups can be downloaded from this page. */
  download: boolean;
  settings: {
    name: string;
    value: string | null;
    secret: boolean;
    from: 'environment' | 'file' | 'default';
  }[];
}

/** The user's role at the desk. Null for users without a role, and until the session has a second factor. */
export const roleQueryOptions = (userId: string | null) =>
  queryOptions({
    queryKey: deskRoleKey(userId),
    enabled: userId !== null,
    queryFn: () => requestJson<Role | null>((client) => client.rpc('my_role')),
  });

/** Fetches true if the user has a role that a second factor and a code would open. */
export const hasRoleQueryOptions = (userId: string) =>
  queryOptions({
    queryKey: [...roleQueryOptions(userId).queryKey, 'given'],
    queryFn: async () =>
      (await request((client) => client.from('user_roles').select('role'))).length > 0,
  });

/** Fetches true if this session has passed the second factor. */
export const secondFactorQueryOptions = (userId: string) =>
  queryOptions({
    queryKey: [...roleQueryOptions(userId).queryKey, 'factor'],
    queryFn: async () =>
      (await requestAuth(({ mfa }) => mfa.getAuthenticatorAssuranceLevel())).currentLevel ===
      'aal2',
  });

/** The user's own contributions that another member of the desk has to decide. */
export const ownItemsQueryOptions = () =>
  queryOptions({
    queryKey: ['desk', 'own'],
    queryFn: () => request((client) => client.rpc('desk_own_items')),
    staleTime: 0,
  });

export const countsQueryOptions = () =>
  queryOptions({
    queryKey: ['desk', 'counts'],
    queryFn: () => request((client) => client.rpc('desk_counts')),
    refetchInterval: 60_000,
  });

/** The oldest 100 items of a type, for one decision about all of them. Never cached. */
export const queueQueryOptions = (type: string) =>
  queryOptions({
    queryKey: ['desk', 'queue', type],
    queryFn: () => request((client) => client.rpc('desk_queue', { p_types: [type] })),
    gcTime: 0,
  });

/** The photo's signed URL, because files of pending photos are private. */
export const photoQueryOptions = ({ bucket, path }: { bucket: string; path: string }) =>
  queryOptions({
    queryKey: ['desk', 'photo', path],
    queryFn: () =>
      request((client) => client.storage.from(bucket).createSignedUrl(path, 600)).then(
        ({ signedUrl }) => signedUrl,
      ),
    staleTime: 300_000,
  });

export const decisionsQueryOptions = () =>
  queryOptions({
    queryKey: ['desk', 'decisions'],
    queryFn: () => request((client) => client.rpc('desk_decisions')),
  });

export const usersQueryOptions = (text: string) =>
  queryOptions({
    queryKey: ['desk', 'users', text],
    queryFn: () => request((client) => client.rpc('desk_users', { p_search: text })),
    enabled: text.trim().length >= 2,
  });

export const userQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'user', id],
    queryFn: () =>
      requestJson<DeskUser | null>((client) => client.rpc('desk_user', { p_user_id: id })),
  });

export const membersQueryOptions = () =>
  queryOptions({
    queryKey: ['desk', 'members'],
    queryFn: () => request((client) => client.rpc('desk_members')),
  });

export const logQueryOptions = () =>
  queryOptions({
    queryKey: ['desk', 'log'],
    queryFn: () => request((client) => client.rpc('desk_audit_log')),
  });

/** Fetches from one of the host's services for administrators. @throws AppError */
export async function askHost(
  path: '/site-status' | '/park-imports',
  request: RequestInit = {},
): Promise<Response> {
  const client = await supabase();
  const token = (await client.auth.getSession()).data.session?.access_token ?? '';
  const response = await fetch(`${getConfig().supabaseUrl}${path}`, {
    ...request,
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.ok) return response;
  noteRejection(response.status, response.headers.get('sb-request-id'));
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  throw toAppError({ status: response.status, message });
}

/** Fetches the host's status. The Supabase platform provides only metrics here and has its own pages for the rest. */
async function fetchStatus(): Promise<SiteStatus> {
  if (getConfig().hostPages) return (await (await askHost('/site-status')).json()) as SiteStatus;
  return {
    numbers: await requestJson<Record<string, number>>((client) => client.rpc('desk_numbers')),
    parts: [],
    notes: [],
    backups: [],
    download: false,
    settings: [],
  };
}

export const siteQueryOptions = () =>
  queryOptions({
    queryKey: ['desk', 'site'],
    queryFn: fetchStatus,
    retry: false,
    // Poll until the requested backup is listed or has failed.
    refetchInterval: ({ state: { data } }) =>
      data?.parts.some(({ part, waiting, detail }) => part === 'backup' && waiting && !detail)
        ? 5000
        : false,
  });

export const importsQueryOptions = () =>
  queryOptions({
    queryKey: ['desk', 'imports'],
    queryFn: () => request((client) => client.rpc('desk_imports')),
  });

export const appErrorsQueryOptions = () =>
  queryOptions({
    queryKey: ['desk', 'app-errors'],
    queryFn: () => request((client) => client.rpc('desk_app_errors')),
  });
