// Queries of a town's representative.
import { queryOptions } from '@tanstack/react-query';
import type { ParkNotice } from '#/entities/parks/conditions.ts';
import { requestJson } from '#/data/request.ts';

interface TownDesk {
  town: string;
  mail: string | null;
  mail_confirmed: boolean;
  parks: { id: number; name: string }[];
  hazards: {
    id: string;
    park_id: number;
    park_name: string;
    hazard: string;
    reported_at: string;
    verified: boolean;
    in_hand: boolean;
  }[];
  notices: (Omit<ParkNotice, 'town'> & { park_id: number; park_name: string })[];
  decisions: {
    id: string;
    type: string;
    decision: string;
    park_name: string;
    decided_at: string;
    undone_at: string | null;
  }[];
}

export const townQueryOptions = () =>
  queryOptions({
    queryKey: ['desk', 'town'],
    queryFn: () => requestJson<TownDesk>((client) => client.rpc('town_desk')),
    refetchInterval: 60_000,
  });
