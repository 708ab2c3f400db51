// The settings that the host gives the app at start, as /config.json has them.
export interface Config {
  supabaseUrl: string;
  anonKey: string;
  siteUrl: string;
  /** `keep`: the provider lets devices keep tiles that were on their screen; the service worker reads it. */
  tiles: { url: string; attribution: string; keep: boolean };
  /**
   * The site's own map, which is drawn in place of tiles; null where there is none, missing in what older hosts say.
   * `url` is a PMTiles file, `version` differs when its content does; `maxZoom` is the file's last zoom, 15 where it is not said.
   */
  map?: { url: string; version: string; attribution: string; maxZoom?: number } | null;
  /** The parks' time zone, the days of the weekend and the first of a week (0 is Sunday), and whether clocks show 12 or 24 hours. */
  time: { zone: string; weekend: number[]; firstDay?: number; hours?: number };
  units?: 'metric' | 'imperial';
  /** The country whose dates and numbers are written, such as AT; IL where it is missing. */
  region?: string;
  /** The languages that are offered, the default first; all where it is missing. */
  languages?: string[];
  /** How old people with an account are at least; 13 where it is missing. */
  minimumAge?: number;
  /** Where the map begins for who has no location; null or missing for the default. */
  start?: { lat: number; long: number } | null;
  /** Whether the functions draw routes (a routing service is set). */
  routing: boolean;
  /** Whether the site has what only our host answers: posters, cards and calendar files. Not on a static host. */
  hostPages?: boolean;
  providers: { google: boolean; apple: boolean };
  /** The operators' mail address, for the info pages. */
  contact: string | null;
  /** Others for questions about personal data and about accessibility. */
  contacts?: { privacy?: string; accessibility?: string };
  operator?: string;
  /** The info pages that /site-texts.json has in place of the app's own. */
  texts?: string[];
  /** Whom to call where poison lies; missing in what a static host says without them. */
  emergencyPhones?: Partial<Record<'poison' | 'city' | 'police', string>>;
  /** The public key that browsers subscribe to pushes with; null or missing where there are none. */
  pushKey?: string | null;
  /** Where the native apps are downloaded; null where there is none. */
  stores?: { apple: string | null; google: string | null };
  /** Asked before signing up and in, where one is set. */
  captcha?: { provider: 'hcaptcha' | 'turnstile'; siteKey: string } | null;
}
