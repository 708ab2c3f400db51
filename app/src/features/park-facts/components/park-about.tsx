// A park's facts as a grid, followed by missing facts, address and sources.
import {
  Footprints,
  type LucideIcon,
  PencilLine,
  Ruler,
  Sparkles,
  TreeDeciduous,
} from 'lucide-react';
import { formatAcres } from '#/core/distance.ts';
import type { Outline } from '#/core/outline.ts';
import { FACT_ICONS } from '#/entities/parks/fact-icons.ts';
import { ParkSources } from '#/features/park-facts/components/park-sources.tsx';
import {
  COLUMN_LABELS,
  disputedFacts,
  factValue,
  namesFacility,
  shownFacts,
  unknownFacts,
} from '#/features/park-facts/fact-labels.ts';
import { outlinePath } from '#/features/park-facts/outline-path.ts';
import { parkTranslation, type Park } from '#/entities/parks/park.ts';
import type { ParkStatus } from '#/entities/parks/park-status.ts';
import { factLabel } from '#/entities/parks/park-facts.ts';
import { groundsOf } from '../../../../../shared/park-facts.ts';
import { type Translate, useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { LIST } from '#/i18n/list-format.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './park-about.module.css';
import { PARK_SIZES } from '../../../../../shared/enums.ts';

interface ParkAboutProps {
  park: Park;
  /** Facts on which visitors disagree, with their values. */
  disputed: ParkStatus['disputed_facts'] | undefined;
  /** Opens the form. @param isForMissing true to show only the unknown facts */
  onSuggest: (isForMissing: boolean) => void;
}

interface Fact {
  label: string;
  icon: LucideIcon;
  /** Null if unknown. */
  value: string | null;
}

function columnFacts(park: Park, t: Translate, locale: string): Fact[] {
  const size = PARK_SIZES.find((label) => label === park.size_label);
  const sizeLabel = size ? t(`parks.size.${size}`) : '';
  const grounds = groundsOf(park.materials);
  return [
    {
      label: t(COLUMN_LABELS.size),
      icon: Ruler,
      value:
        park.size === null
          ? sizeLabel || null
          : t('parks.about.sizeValue', {
              label: sizeLabel,
              size:
                formatAcres(park.size, locale) ??
                t('parks.about.squareMetres', {
                  metres: new Intl.NumberFormat(locale).format(park.size),
                }),
            }),
    },
    {
      label: t(COLUMN_LABELS.materials),
      icon: Footprints,
      value:
        grounds.length === 0
          ? null
          : new Intl.ListFormat(locale, LIST).format(
              grounds.map((ground) => t(`parks.ground.${ground}`)),
            ),
    },
    {
      label: t(COLUMN_LABELS.shade),
      icon: TreeDeciduous,
      value: park.shade === null ? null : t('parks.shadeHours', { hours: Number(park.shade) }),
    },
    {
      label: t(COLUMN_LABELS.has_facilities),
      icon: Sparkles,
      value:
        park.has_facilities === null || (park.has_facilities && namesFacility(park.facts))
          ? null
          : t(park.has_facilities ? 'parks.about.yes' : 'parks.about.no'),
    },
  ];
}

export function ParkAbout({ park, disputed = {}, onSuggest }: ParkAboutProps) {
  const t = useT();
  const language = useLanguage();
  const translation = parkTranslation(park, language);
  const locale = useLocale();
  const ofColumns = columnFacts(park, t, locale);
  const inDispute = disputedFacts(park.facts, disputed);
  const facts = [
    ...ofColumns.filter(({ value }) => value !== null),
    ...shownFacts(park.facts).map((key) => ({
      label: t(factLabel(key)),
      icon: FACT_ICONS[key],
      value: factValue(key, park.facts[key] ?? '', t, locale),
    })),
    ...inDispute.map((key) => ({
      label: t(factLabel(key)),
      icon: FACT_ICONS[key],
      value: t('parks.about.disputed', {
        values: new Intl.ListFormat(locale, LIST).format(
          (disputed[key] ?? []).map((value) => factValue(key, value, t, locale)),
        ),
      }),
    })),
  ];
  // If only the list file is available, do not ask for facts, because the server may know facts that the file lacks.
  const lacksFacts = !park.listed && unknownFacts(park, inDispute).length > 0;
  return (
    <Card as="section" aria-labelledby="park-about">
      <h2 id="park-about" className={styles.title}>
        {t('parks.about.title')}
      </h2>
      <dl className={styles.facts}>
        {facts.map(({ label, icon, value }) => (
          <div key={label} className={styles.fact}>
            <Icon of={icon} className={styles.icon} />
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className={styles.address}>
          <dt>{t('parks.about.address')}</dt>
          <dd>
            <bdi>{translation.address}</bdi>
            {translation.address !== '' && translation.city !== '' && ' · '}
            <bdi>{translation.city}</bdi>
          </dd>
        </div>
      </dl>
      {park.outline && <ParkOutline outline={park.outline} />}
      {!park.listed && (
        <Button
          variant={lacksFacts ? 'secondary' : 'quiet'}
          icon={PencilLine}
          onClick={() => onSuggest(lacksFacts)}
        >
          {t(lacksFacts ? 'parks.about.addMissing' : 'parks.about.suggest')}
        </Button>
      )}
      <ParkSources park={park} />
    </Card>
  );
}

/** Draws the outline with north at the top. It is not mirrored in right-to-left languages. */
function ParkOutline({ outline }: { outline: Outline }) {
  const t = useT();
  const { d, width, height } = outlinePath(outline);
  const margin = Math.max(width, height) / 40;
  return (
    <svg
      role="img"
      aria-label={t('parks.about.outline')}
      className={styles.outline}
      viewBox={`${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`}
    >
      <path d={d} fillRule="evenodd" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
