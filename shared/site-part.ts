// How a part of the site does, as the host tells an administrator.
export interface SitePart {
  part: string;
  state: 'ok' | 'warn' | 'bad' | 'off';
  detail: string | null;
  /** How long ago, where it is something that happens. */
  hours: number | null;
  waiting?: number;
  failing?: number;
  /** Of the version: installed so long ago that there may be a newer one. */
  old?: boolean;
  /** Of the version: a newer one that RELEASE_URL names. */
  newer?: string | null;
}
