// The icon of each verdict.
import { CircleAlert, CircleCheck, CircleMinus, Clock, PawPrint } from 'lucide-react';
import type { GoNowVerdict } from '#/features/parks/go-now.ts';
import type { LucideIcon } from '#/ui/icon.tsx';

export const GO_NOW_ICONS: Readonly<Record<GoNowVerdict, LucideIcon>> = {
  goodNow: CircleCheck,
  quietWindow: PawPrint,
  withCare: CircleAlert,
  betterLater: Clock,
  notNow: CircleMinus,
  closed: CircleMinus,
};
