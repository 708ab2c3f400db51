// A page of long text: sections, links and the operator's contact details.
import { Link } from '@tanstack/react-router';
import { type InfoBlock, type InfoPage, useInfoText } from '#/features/info/info-text.ts';
import { parseInline, type Place } from '#/features/info/inline.ts';
import { minimumAge } from '#/entities/users/minimum-age.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { Page } from '#/ui/page.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import styles from './info-screen.module.css';

interface InfoScreenProps {
  page: InfoPage;
  /** The date of the last change of the built-in text, as ISO 8601 and as displayed. */
  updated?: { iso: string; shown: string };
}

export function InfoScreen({ page, updated: ours }: InfoScreenProps) {
  const text = useInfoText(page);
  const t = useT();
  const day = new Intl.DateTimeFormat(useLocale(), { ...DAY, timeZone: 'UTC' });
  const updated = text.updated
    ? { iso: text.updated, shown: day.format(new Date(text.updated)) }
    : ours;
  const sections = text.sections.filter(({ id }) => id !== 'imprint' || getConfig().operator);
  return (
    <Page width="medium" className={styles.page}>
      <PageHeader title={text.title} back={{ to: '/' }} />
      {updated && (
        <p className="note">
          <time dateTime={updated.iso}>{t('info.updated', { date: updated.shown })}</time>
        </p>
      )}
      <p className={styles.lead}>{text.lead}</p>
      {sections.map((section) => (
        <section key={section.id} aria-labelledby={section.id} className={styles.section}>
          <h2 id={section.id} className={styles.heading}>
            {section.heading}
          </h2>
          {section.body.map((block, index) => (
            <Block key={index} block={block} />
          ))}
        </section>
      ))}
    </Page>
  );
}

function Block({ block }: { block: InfoBlock }) {
  if (typeof block === 'string')
    return (
      <p>
        <Inline text={block} />
      </p>
    );
  return (
    <ul className={styles.list}>
      {block.map((item) => (
        <li key={item}>
          <Inline text={item} />
        </li>
      ))}
    </ul>
  );
}

function Inline({ text }: { text: string }) {
  return parseInline(text).map((part, index) => {
    if (part.type === 'link')
      return (
        <Link key={index} to={part.to}>
          {part.text}
        </Link>
      );
    if (part.type === 'outside')
      return (
        <a key={index} href={part.href} target="_blank" rel="noreferrer">
          {part.text}
        </a>
      );
    if (part.type === 'text') return part.text;
    if (part.type === 'older') return minimumAge().older === 'true' && part.text;
    return <Named key={index} place={part.type} />;
  });
}

/** Renders a value of the site's configuration. If the email address is missing, renders the site's name. */
function Named({ place }: { place: Place }) {
  const { contact, contacts, operator, siteUrl } = getConfig();
  if (place === 'age') return minimumAge().age;
  if (place === 'operator') return <bdi>{operator}</bdi>;
  const specific = place === 'site' || place === 'contact' ? undefined : contacts?.[place];
  const address = place === 'site' ? null : (specific ?? contact);
  if (!address) return <bdi>{new URL(siteUrl).host}</bdi>;
  return (
    <a href={`mailto:${address}`}>
      <bdi>{address}</bdi>
    </a>
  );
}
