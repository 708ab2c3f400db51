// Health of a part of the site, reported to administrators.
export interface SitePart {
  part: string;
  state: 'ok' | 'warn' | 'bad' | 'off';
  detail: string | null;
  /** Hours since it last happened, for recurring events. */
  hours: number | null;
  waiting?: number;
  failing?: number;
  /** For the version: its age suggests that there is a newer one. */
  old?: boolean;
  /** For the version: the newer one found at RELEASE_URL. */
  newer?: string | null;
}
