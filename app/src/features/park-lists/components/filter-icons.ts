// The icon of each filter's chip: that of its fact, where it asks about one.
import {
  Clock,
  Footprints,
  type LucideIcon,
  PawPrint,
  Ruler,
  Sparkles,
  TreePine,
} from 'lucide-react';
import type { FilterName } from '#/features/park-lists/park-filters.ts';
import { FACT_ICONS } from '#/ui/fact-icons.ts';

export const FILTER_ICONS: Readonly<Record<FilterName, LucideIcon>> = {
  dogs: PawPrint,
  open: Clock,
  fenced: FACT_ICONS.fenced,
  water: FACT_ICONS.drinking_water,
  smallDogs: FACT_ICONS.small_dog,
  size: Ruler,
  ground: Footprints,
  shade: TreePine,
  facilities: Sparkles,
  fenceHeight: FACT_ICONS['fence:height'],
  doubleGate: FACT_ICONS.double_gate,
  lit: FACT_ICONS.lit,
  benches: FACT_ICONS.bench,
  bins: FACT_ICONS.bin,
  bags: FACT_ICONS.excrement_bags,
  agility: FACT_ICONS.dog_agility,
  parking: FACT_ICONS.parking,
  stepFree: FACT_ICONS.wheelchair,
  free: FACT_ICONS.fee,
  offLeash: FACT_ICONS.dog,
  shelter: FACT_ICONS.shelter_distance,
};
