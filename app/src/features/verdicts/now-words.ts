// Where to go now, in one line: the best park, until when or from when, what sets it apart, and who is there.
import { formatHour } from '#/core/park-time.ts';
import { apartWords } from '#/features/verdicts/apart-words.ts';
import type { Apart } from '#/features/verdicts/ranking.ts';
import type { Verdict } from '#/features/verdicts/verdict.ts';
import { verdictWords } from '#/features/verdicts/verdict-words.ts';
import type { Translate } from '#/i18n/i18n.ts';

interface KnownNow {
  park: string;
  verdict: Verdict | null;
  apart: Apart | null;
  /** Dogs there; null where unknown, or at another hour. */
  dogs: number | null;
  /** What most of them are like, where that is published. */
  company: readonly string[];
}

/** What others on the screen say already, or what is no reason for a dog. */
const UNSAID = new Set<Apart['kind']>(['friends', 'nearest', 'company', 'usualCompany', 'openNow']);

/** Null where too little is known, and where nothing can be recommended. @param locale a BCP 47 tag for the hours */
export function nowWords(known: KnownNow, t: Translate, locale: string): string | null {
  const { park, verdict, apart, dogs, company } = known;
  if (!verdict || verdict.kind === 'notNow' || verdict.kind === 'closed') return null;
  const { kind, hour } = verdict;
  const when = hour === null ? null : { park, hour: formatHour(hour % 24, locale) };
  if (kind === 'betterLater')
    return when && t(hour >= 24 ? 'parks.now.tomorrow' : 'parks.now.later', when);
  return [
    when ? t('parks.now.until', when) : park,
    kind === 'withCare' ? verdictWords(verdict, t, locale).line : null,
    apart && !UNSAID.has(apart.kind) ? apartWords(apart, t, locale) : null,
    dogs === null ? null : t('parks.dogsNow', { count: dogs }),
    ...company,
  ]
    .filter((each) => each !== null)
    .join(' · ');
}
