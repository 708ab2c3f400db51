// The icon of each verdict.
import { CircleAlert, CircleCheck, CircleMinus, Clock, PawPrint } from 'lucide-react';
import type { Verdict } from '../../../../../shared/verdict/verdict.ts';
import type { LucideIcon } from '#/ui/icon.tsx';

export const VERDICT_ICONS: Readonly<Record<Verdict['type'], LucideIcon>> = {
  goodNow: CircleCheck,
  quietWindow: PawPrint,
  withCare: CircleAlert,
  betterLater: Clock,
  notNow: CircleMinus,
  closed: CircleMinus,
};
