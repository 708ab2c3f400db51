// The site page: health, backups, app errors, metrics, and settings that are not secret.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { HOUR_MS } from '../../../../../shared/durations.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { backUpNow, downloadBackup, sendTestMail } from '#/features/desk/commands/site.ts';
import { ReauthenticateSheet } from '#/features/desk/components/reauthenticate-sheet.tsx';
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import {
  appErrorsQueryOptions,
  siteQueryOptions,
  type SiteStatus,
} from '#/features/desk/queries/desk.ts';
import { useAct } from '#/features/desk/use-act.ts';
import { useDayFormat, useTimeFormat } from '#/features/desk/use-date-format.ts';
import { useLocale } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { Chip } from '#/ui/chip.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import styles from './desk.module.css';

type Setting = SiteStatus['settings'][number];

const isSet = ({ value, secret }: Setting): boolean => secret || (value ?? '') !== '';

const TONES = { ok: 'park', warn: 'sand', bad: 'alert', off: 'neutral' } as const;

export default function SiteView() {
  const text = useDeskText();
  const number = new Intl.NumberFormat(useLocale());
  const { data, error, refetch } = useQuery(siteQueryOptions());
  const testMail = useAct();
  if (!data) return <Loading error={error} refetch={refetch} height="20rem" />;
  const unset = data.settings.filter((setting) => !isSet(setting));
  const { hostPages } = getConfig();
  return (
    <div className={styles.stack}>
      {!hostPages && <p>{text.site.elsewhere}</p>}
      {hostPages && (
        <section>
          <h2 className={styles.label}>{text.site.health}</h2>
          <ul className="grid-2">
            {worstFirst(data.parts).map((part) => (
              <li key={part.part} className={styles.part}>
                <strong>{textOf(text.site.parts, part.part)}</strong>
                <Chip tone={TONES[part.state]}>{text.site[part.state]}</Chip>
                <Details part={part} />
              </li>
            ))}
          </ul>
          {data.notes.length > 0 && (
            <details className={styles.unset}>
              <summary>
                {text.site.notes}: {number.format(data.notes.length)}
              </summary>
              <ul className="grid-2" lang="en" dir="ltr">
                {data.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            </details>
          )}
          <div className={styles.buttons}>
            <Button
              variant="secondary"
              busy={testMail.busy}
              onClick={() =>
                void testMail.act(() => sendTestMail().then(() => text.site.testMailSent))
              }
            >
              {text.site.testMail}
            </Button>
          </div>
        </section>
      )}
      {hostPages && <Backups backups={data.backups} download={data.download} />}
      <section>
        <h2 className={styles.label}>{text.imports.list}</h2>
        <ButtonLink variant="secondary" to="/desk/{-$view}" params={{ view: 'imports' }}>
          {text.imports.link}
        </ButtonLink>
      </section>
      <AppErrors />
      <section>
        <h2 className={styles.label}>{text.site.numbers}</h2>
        <dl className={styles.numbers}>
          {Object.entries(text.site.counts).map(([name, label]) => (
            <div key={name}>
              <dt className="soft">{label}</dt>
              <dd className={styles.number}>{number.format(data.numbers[name] ?? 0)}</dd>
            </div>
          ))}
        </dl>
      </section>
      {hostPages && (
        <section>
          <h2 className={styles.label}>{text.site.settings}</h2>
          <details className={styles.unset}>
            <summary>
              {text.site.settings}: {number.format(data.settings.length - unset.length)}
            </summary>
            <SettingLines settings={data.settings.filter(isSet)} />
          </details>
          <details className={styles.unset}>
            <summary>
              {text.site.off}: {number.format(unset.length)}
            </summary>
            <SettingLines settings={unset} />
          </details>
        </section>
      )}
    </div>
  );
}

const STATES = ['bad', 'warn', 'ok', 'off'];

const worstFirst = (parts: SiteStatus['parts']) =>
  [...parts].sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));

/** Lists settings by the names of their environment variables, which are not translated. */
function SettingLines({ settings }: { settings: readonly Setting[] }) {
  const text = useDeskText();
  return (
    <ul className="grid-2" dir="ltr">
      {settings.map((setting) => (
        <li key={setting.name} className={styles.line}>
          <code className={styles.setting}>{setting.name}</code>
          {isSet(setting) && <span className="soft">{setting.value ?? text.site.set}</span>}
          {setting.from !== 'default' && <Chip>{text.site.from[setting.from]}</Chip>}
        </li>
      ))}
    </ul>
  );
}

function Backups({ backups, download }: Pick<SiteStatus, 'backups' | 'download'>) {
  const text = useDeskText();
  const formatTime = useTimeFormat();
  const megabytes = new Intl.NumberFormat(useLocale(), {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  });
  const client = useQueryClient();
  const { busy, act } = useAct();
  const [proving, setProving] = useState(false);
  const isIn = (place: 'disk' | 's3') => backups.some(({ places }) => places.includes(place));
  return (
    <section>
      <h2 className={styles.label}>{text.site.backups}</h2>
      {backups.length === 0 && <p className="soft">{text.site.noBackups}</p>}
      <ul className="grid-2">
        {backups.map((backup) => (
          <li key={backup.name} className={styles.line}>
            <time dateTime={backup.made}>{formatTime(backup.made)}</time>
            <span className="soft">
              <bdi>{megabytes.format(backup.bytes / 1_000_000)}</bdi>
            </span>
            {isIn('s3') &&
              backup.places.map((place) => <Chip key={place}>{text.site.places[place]}</Chip>)}
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button
          variant="secondary"
          busy={busy}
          onClick={() =>
            void act(async () => {
              await backUpNow();
              void client.invalidateQueries(siteQueryOptions());
              return text.site.backUpAsked;
            })
          }
        >
          {text.site.backUp}
        </Button>
        {download && isIn('disk') && (
          <Button variant="quiet" onClick={() => setProving(true)}>
            {text.site.download}
          </Button>
        )}
      </div>
      {proving && (
        <ReauthenticateSheet
          title={text.site.download}
          about={text.site.downloadAbout}
          passphrase
          onClose={() => setProving(false)}
          onReauthenticated={async (passphrase) => {
            await downloadBackup(passphrase);
            setProving(false);
          }}
        />
      )}
    </section>
  );
}

function AppErrors() {
  const text = useDeskText();
  const day = useDayFormat();
  const { data = [] } = useQuery(appErrorsQueryOptions());
  return (
    <section>
      <h2 className={styles.label}>{text.site.errors}</h2>
      {data.length === 0 && <p className="soft">{text.site.noErrors}</p>}
      <ul className="grid-2">
        {data.map((error) => (
          <li key={`${error.type} ${error.version}`} className={styles.line}>
            <bdi dir="ltr">
              {error.type} · {error.version}
            </bdi>
            <span className="soft">
              {fill(text.item.times, { count: error.count })} · {day(error.last_day)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Details({ part }: { part: SiteStatus['parts'][number] }) {
  const text = useDeskText();
  const locale = useLocale();
  const now = useNow(60_000);
  const ago =
    part.hours === null
      ? null
      : timeAgo(new Date(now - part.hours * HOUR_MS).toISOString(), now, locale);
  const notes = [
    ago !== null && part.part === 'version' ? fill(text.site.installed, { ago }) : ago,
    part.waiting === undefined ? null : fill(text.site.waiting, { count: part.waiting }),
    part.failing ? fill(text.site.failing, { count: part.failing }) : null,
    part.reason && text.site.reasons[part.reason],
  ].filter((one) => one !== null);
  return (
    <span className="soft">
      {/* Program names and versions are not translated. */}
      {part.detail !== null && <bdi dir="ltr">{part.detail}</bdi>}
      {part.detail !== null && notes.length > 0 && ' · '}
      {notes.join(' · ')}
    </span>
  );
}
