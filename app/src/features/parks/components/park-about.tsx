// What a park is: size, ground, shade, facilities, address, and where the record comes from.
import { PencilLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { parkWords, type Park } from '#/features/parks/queries/park.ts';
import { GROUNDS, SIZES } from '#/features/parks/park-search.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import styles from './park-about.module.css';

interface ParkAboutProps {
  park: Park;
  /** Opens the form for what is missing. */
  onSuggest: () => void;
}

const OSM = 'https://www.openstreetmap.org/copyright';
const ODBL = 'https://opendatacommons.org/licenses/odbl/';

export function ParkAbout({ park, onSuggest }: ParkAboutProps) {
  const t = useT();
  const language = useLanguage();
  const words = parkWords(park, language);
  const { locale } = LANGUAGES[language];
  const size = SIZES.find((label) => label === park.size_label);
  const grounds = GROUNDS.filter((ground) => park.materials?.includes(ground));
  // False: nobody has said yet; of a park of which only the list is here, it is not known.
  const facts: [string, string | false][] = [
    [
      t('parks.filter.size'),
      park.size !== null &&
        t('parks.about.sizeValue', {
          label: size ? t(`parks.size.${size}`) : '',
          metres: new Intl.NumberFormat(locale).format(park.size),
        }),
    ],
    [
      t('parks.filter.ground'),
      grounds.length > 0 &&
        new Intl.ListFormat(locale, { type: 'unit' }).format(
          grounds.map((ground) => t(`parks.ground.${ground}`)),
        ),
    ],
    [
      t('parks.filter.shade'),
      park.shade !== null && t('parks.shadeHours', { hours: Number(park.shade) }),
    ],
    [
      t('parks.about.facilities'),
      park.has_facilities !== null && t(park.has_facilities ? 'parks.about.yes' : 'parks.about.no'),
    ],
  ];
  const missing = facts.some(([, value]) => value === false);
  const rows: [string, ReactNode][] = [
    ...facts
      .filter(([, value]) => value !== false || !park.listed)
      .map(([label, value]): [string, ReactNode] => [
        label,
        value === false ? (
          <span className={styles.unknown}>{t('parks.about.unknown')}</span>
        ) : (
          value
        ),
      ]),
    [
      t('parks.about.address'),
      <span key="address">
        <bdi>{words.address}</bdi>
        {words.address !== '' && words.city !== '' && ', '}
        <bdi>{words.city}</bdi>
      </span>,
    ],
  ];
  return (
    <Card as="section" aria-labelledby="park-about">
      <h2 id="park-about" className={styles.title}>
        {t('parks.about.title')}
      </h2>
      <dl className={styles.facts}>
        {rows.map(([label, value]) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!park.listed && (
        <Button variant={missing ? 'secondary' : 'quiet'} icon={PencilLine} onClick={onSuggest}>
          {t(missing ? 'parks.about.addMissing' : 'parks.about.suggest')}
        </Button>
      )}
      <SourceCredit park={park} />
    </Card>
  );
}

/** OpenStreetMap rows are under the ODbL and are credited where they are shown. */
function SourceCredit({ park }: { park: Park }) {
  const t = useT();
  // The demo's parks are invented, and people who add parks stay unnamed.
  if (!park.source || ['demo', 'user'].includes(park.source)) return null;
  const openStreetMap = /osm|openstreetmap/i.test(park.source);
  return (
    <p className={styles.credit}>
      {openStreetMap ? (
        <>
          <a href={OSM} target="_blank" rel="noreferrer">
            {t('parks.about.osm')}
          </a>
          {', '}
          <a href={ODBL} target="_blank" rel="noreferrer">
            {t('parks.about.odbl')}
          </a>
        </>
      ) : (
        t('parks.about.source', { source: park.source, licence: park.licence ?? '' })
      )}
    </p>
  );
}
