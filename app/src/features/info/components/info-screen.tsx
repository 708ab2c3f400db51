// A long text as a page: its sections, links and the operator's address.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { InfoBlock, InfoText } from '#/features/info/info-text.ts';
import { parseInline } from '#/features/info/inline.ts';
import { useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { Page } from '#/ui/page.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import styles from './info-screen.module.css';

interface InfoScreenProps {
  text: InfoText;
  /** When the text last changed, as the reader sees it. */
  updated?: { iso: string; shown: string };
  children?: ReactNode;
}

export function InfoScreen({ text, updated, children }: InfoScreenProps) {
  const t = useT();
  return (
    <Page width="medium" className={styles.page}>
      <PageHeader title={text.title} back={{ to: '/' }} />
      {updated && (
        <p className={styles.updated}>
          <time dateTime={updated.iso}>{t('info.updated', { date: updated.shown })}</time>
        </p>
      )}
      <p className={styles.lead}>{text.lead}</p>
      {text.sections.map((section) => (
        <section key={section.id} aria-labelledby={section.id} className={styles.section}>
          <h2 id={section.id} className={styles.heading}>
            {section.heading}
          </h2>
          {section.body.map((block, index) => (
            <Block key={index} block={block} />
          ))}
        </section>
      ))}
      {children}
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
    if (part.kind === 'link')
      return (
        <Link key={index} to={part.to}>
          {part.text}
        </Link>
      );
    if (part.kind === 'outside')
      return (
        <a key={index} href={part.href} target="_blank" rel="noreferrer">
          {part.text}
        </a>
      );
    if (part.kind === 'contact') return <Contact key={index} />;
    if (part.kind === 'site') return <bdi key={index}>{new URL(getConfig().siteUrl).host}</bdi>;
    return part.text;
  });
}

/** The operator's mail address; where none is set, the site itself. */
function Contact() {
  const { contact, siteUrl } = getConfig();
  if (!contact) return <bdi>{new URL(siteUrl).host}</bdi>;
  return (
    <a href={`mailto:${contact}`}>
      <bdi>{contact}</bdi>
    </a>
  );
}
