// The operator's page: whether everything works, counts of the last 30 days, and the settings without their secrets.
import { useQuery } from '@tanstack/react-query';
import { HOUR_MS } from '#/core/durations.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import { siteQueryOptions, type SiteStatus } from '#/features/desk/queries/desk.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { Chip } from '#/ui/chip.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './desk.module.css';

type Setting = SiteStatus['settings'][number];

const isSet = ({ value, secret }: Setting): boolean => secret || (value ?? '') !== '';

const TONES = { ok: 'park', bad: 'alert', off: 'neutral' } as const;

export function SiteView() {
  const text = useDeskText();
  const number = new Intl.NumberFormat(LANGUAGES[useLanguage()].locale);
  const { data, error, refetch } = useQuery(siteQueryOptions());
  if (!data)
    return error ? (
      <FetchFailed error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height="20rem" />
    );
  const unset = data.settings.filter((setting) => !isSet(setting));
  return (
    <div className={styles.stack}>
      <section>
        <h2 className={styles.label}>{text.site.health}</h2>
        <ul className={styles.lines}>
          {data.parts.map((part) => (
            <li key={part.part} className={styles.part}>
              <strong>{textOf(text.site.parts, part.part)}</strong>
              <Chip tone={TONES[part.state]}>{text.site[part.state]}</Chip>
              <Details part={part} />
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2 className={styles.label}>{text.site.numbers}</h2>
        <dl className={styles.numbers}>
          {Object.entries(text.site.counts).map(([name, label]) => (
            <div key={name}>
              <dt className={styles.quiet}>{label}</dt>
              <dd className={styles.number}>{number.format(data.numbers[name] ?? 0)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h2 className={styles.label}>{text.site.settings}</h2>
        <SettingLines settings={data.settings.filter(isSet)} />
        <details className={styles.unset}>
          <summary>
            {text.site.off}: {number.format(unset.length)}
          </summary>
          <SettingLines settings={unset} />
        </details>
      </section>
    </div>
  );
}

/** By their names, which are the same in every language. */
function SettingLines({ settings }: { settings: readonly Setting[] }) {
  const text = useDeskText();
  return (
    <ul className={styles.lines} dir="ltr">
      {settings.map((setting) => (
        <li key={setting.name} className={styles.line}>
          <code className={styles.setting}>{setting.name}</code>
          {isSet(setting) && <span className={styles.quiet}>{setting.value ?? text.site.set}</span>}
        </li>
      ))}
    </ul>
  );
}

function Details({ part }: { part: SiteStatus['parts'][number] }) {
  const text = useDeskText();
  const { locale } = LANGUAGES[useLanguage()];
  const now = useNow(60_000);
  const said = [
    part.hours === null
      ? null
      : timeAgo(new Date(now - part.hours * HOUR_MS).toISOString(), now, locale),
    part.waiting === undefined ? null : fill(text.site.waiting, { count: part.waiting }),
    part.failing ? fill(text.site.failing, { count: part.failing }) : null,
    part.old ? text.site.old : null,
  ].filter((one) => one !== null);
  return (
    <span className={styles.quiet}>
      {/* Names and versions of programs, which no language has words for. */}
      {part.detail !== null && <bdi dir="ltr">{part.detail}</bdi>}
      {part.detail !== null && said.length > 0 && ' · '}
      {said.join(' · ')}
    </span>
  );
}
