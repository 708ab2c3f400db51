// Health of a part of the site, reported to administrators.

/** Why a part does not work or needs attention, and how serious that is; desk.json explains each. */
export const SITE_REASONS = {
  newer: 'warn',
  old: 'warn',
  nodeEnded: 'warn',
  postgresOld: 'warn',
  overdue: 'warn',
  logChanged: 'bad',
  unreachable: 'bad',
  failing: 'bad',
  backupFailed: 'warn',
  backupLate: 'warn',
  noBackup: 'warn',
  noParkFile: 'bad',
  diskFull: 'bad',
  noResponse: 'bad',
  badResponse: 'bad',
} as const;

export type SiteReason = keyof typeof SITE_REASONS;

export interface SitePart {
  part: string;
  state: 'ok' | 'warn' | 'bad' | 'off';
  /** Null if the part works or is off. */
  reason: SiteReason | null;
  detail: string | null;
  /** Hours since it last happened, for recurring events. */
  hours: number | null;
  waiting?: number;
  failing?: number;
}
