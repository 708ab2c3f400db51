// The host's configuration for the app, as in /config.json.
export interface Config {
  supabaseUrl: string;
  anonKey: string;
  siteUrl: string;
  /** `keep` is true if the tile provider allows caching tiles on devices. The service worker reads it. */
  tiles: { url: string; attribution: string; keep: boolean };
  /**
   * The site's vector map, used instead of tiles; null if there is none, missing on older hosts. `url` is a PMTiles file, `version`
   * changes with its content, `maxZoom` is its last zoom (default 15).
   */
  map?: {
    url: string;
    version: string;
    attribution: string;
    maxZoom?: number;
    /** True if the map shows the demo's invented town. The app then labels it as invented instead of showing an attribution. */
    invented?: boolean;
  } | null;
  /** The parks' time zone, weekend days and first day of the week (0 is Sunday), and a 12 or 24-hour clock. */
  time: { zone: string; weekend: number[]; firstDay?: number; hours?: number };
  units?: 'metric' | 'imperial';
  /** Country code for formatting dates and numbers, such as AT; default IL. */
  region?: string;
  /** Offered languages, the default first; all languages if missing. */
  languages?: string[];
  /** Minimum age of users with an account; default 13. */
  minimumAge?: number;
  /** Initial map centre for users without a location; null or missing for the default. */
  start?: { lat: number; long: number } | null;
  /** A routing service is configured, so the functions can return routes. */
  routing: boolean;
  /** The host serves posters, cards and calendar files. Static hosts do not. */
  hostPages?: boolean;
  providers: { google: boolean; apple: boolean };
  /** Email address of the operators, for the info pages. */
  contact: string | null;
  /** Separate contacts for questions about privacy and accessibility. */
  contacts?: { privacy?: string; accessibility?: string };
  operator?: string;
  /** Names of the info pages that /site-texts.json overrides. */
  texts?: string[];
  /** Phone numbers for reports of poison; missing on static hosts without them. */
  emergencyPhones?: Partial<Record<'poison' | 'city' | 'police', string>>;
  /** VAPID public key for web push; null or missing if push is disabled. */
  pushKey?: string | null;
  /** App store URLs; null if the app is not in that store. */
  stores?: { apple: string | null; google: string | null };
  /** Required for signing up and logging in, if set. */
  captcha?: { provider: 'hcaptcha' | 'turnstile'; siteKey: string } | null;
}
