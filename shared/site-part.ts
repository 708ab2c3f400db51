// Health of a part of the site, reported to administrators.
export interface SitePart {
  part: string;
  state: 'ok' | 'warn' | 'bad' | 'off';
  detail: string | null;
  /** Hours since it last happened, for recurring events. */
  hours: number | null;
  waiting?: number;
  failing?: number;
  /** Only for the version: true if its age suggests that there is a newer one. */
  old?: boolean;
  /** Only for the version: the newer version that was found at RELEASE_URL. */
  newer?: string | null;
}
