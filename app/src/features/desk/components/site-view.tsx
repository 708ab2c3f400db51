// The operator's page: whether everything works, counts of the last 30 days, and the settings without their secrets.
import { useQuery } from '@tanstack/react-query';
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import { siteQueryOptions, type SiteStatus } from '#/features/desk/queries/desk.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { Chip } from '#/ui/chip.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './desk.module.css';

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
  return (
    <div className={styles.stack}>
      <section>
        <h2 className={styles.label}>{text.site.health}</h2>
        <ul className={styles.lines}>
          {data.parts.map((part) => (
            <li key={part.part} className={styles.line}>
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
          {Object.entries(data.numbers).map(([name, value]) => (
            <div key={name}>
              <dt className={styles.quiet}>{textOf(text.site.counts, name)}</dt>
              <dd className={styles.number}>{number.format(value)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h2 className={styles.label}>{text.site.settings}</h2>
        <ul className={styles.lines} dir="ltr">
          {data.settings.map((setting) => (
            <li key={setting.name} className={styles.line}>
              <code className={styles.code}>{setting.name}</code>
              <span className={styles.quiet}>
                {setting.value ?? (setting.secret ? text.site.set : '–')}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Details({ part }: { part: SiteStatus['parts'][number] }) {
  const text = useDeskText();
  const ago = new Intl.RelativeTimeFormat(LANGUAGES[useLanguage()].locale);
  const said = [
    part.hours === null ? null : ago.format(-part.hours, 'hour'),
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
