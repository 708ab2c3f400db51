// Formats the verdict as one line and a reason.
import { formatHour } from '../../../../shared/park-time.ts';
import { groundLevel } from '../../../../shared/verdict/ground-temperature.ts';
import { isHazard } from '../../../../shared/verdict/hazards.ts';
import { bestOf, type Verdict } from '../../../../shared/verdict/verdict.ts';
import type { Reason } from '../../../../shared/verdict/reason.ts';
import type { Translate } from '#/i18n/i18n.ts';

interface VerdictLabel {
  line: string;
  /** The main reason, unless the line already contains it. */
  why: string | null;
}

/** @param isNow false if the user has chosen another hour */
export function verdictLabel(
  verdict: Verdict,
  t: Translate,
  locale: string,
  isNow = true,
): VerdictLabel {
  const { main } = verdict;
  const why = main && reasonLabel(main, t, locale);
  if (verdict.type === 'withCare') {
    // Do not mention dry weather next to heat or cold, because it does not compensate for them.
    const next =
      main?.type === 'heat' || main?.type === 'cold'
        ? bestOf(verdict.reasons, ['shaded', 'usuallyQuiet'])
        : bestOf(verdict.reasons);
    return { line: careLabel(verdict, t), why: next ? reasonLabel(next, t, locale) : null };
  }
  const { type, hour } = verdict;
  if (type === 'notNow')
    return { line: t(isNow ? 'parks.goNow.notNow' : 'parks.goNow.notThen'), why };
  if (type === 'goodNow' && hour === null && !isNow)
    return { line: t('parks.goNow.goodThen'), why };
  if (hour === null) return { line: t(`parks.goNow.${type}`), why };
  const when = { hour: formatHour(hour, locale) };
  // Only these two verdicts can be about an hour of tomorrow.
  if (hour >= 24 && (type === 'betterLater' || type === 'closed'))
    return { line: t(`parks.goNow.${type}TomorrowAt`, when), why };
  return { line: t(`parks.goNow.${type}At`, when), why };
}

/** Returns advice for going despite one problem. */
function careLabel({ main, reasons }: Verdict, t: Translate): string {
  if (main?.type === 'heat' && reasons.some(({ type }) => type === 'sunny'))
    return t('parks.goNow.care.heatSun');
  switch (main?.type) {
    case 'muddy':
    case 'brokenFountain':
    case 'awns':
    case 'brokenFence':
    case 'noWater':
    case 'rain':
    case 'heat':
    case 'cold':
    case 'hotGround':
    case 'crowd':
      return t(`parks.goNow.care.${main.type}`);
  }
  return main && (main.type === 'inHeat' || isHazard(main.type))
    ? t('parks.goNow.care.hazard', { hazard: t(`parks.goNow.reason.${main.type}`) })
    : t('parks.goNow.withCare');
}

export function reasonLabel(reason: Reason, t: Translate, locale: string): string {
  switch (reason.type) {
    case 'closed':
    case 'sprayed':
    case 'gateClosed':
    case 'underConstruction':
    case 'muddy':
    case 'brokenFountain':
      return t(`liveReports.condition.${reason.type}`);
    case 'rain':
      return t('parks.goNow.reason.rain', { percent: reason.percent });
    case 'heat':
    case 'cold':
    case 'mild':
      return t(`parks.goNow.reason.${reason.type}`, { temperature: reason.temperature });
    case 'hotGround': {
      const { temperature } = reason;
      const level = groundLevel(temperature);
      return t(`parks.goNow.reason.${level === 'fine' ? 'hot' : level}Ground`, { temperature });
    }
    case 'dogs':
    case 'crowd':
      return t('parks.dogsNow', { count: reason.dogs });
    case 'rainFrom':
    case 'thunderFrom':
    case 'heatFrom':
    case 'closesAt':
    case 'asphaltFrom':
      return t(`parks.goNow.reason.${reason.type}`, { hour: formatHour(reason.hour, locale) });
    default:
      return t(`parks.goNow.reason.${reason.type}`);
  }
}
