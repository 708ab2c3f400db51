// The map for choosing a place, loaded on demand.
import { lazyPart } from '#/core/lazy-part.ts';
import { PartMissing } from '#/ui/part-missing.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';

export const LocationPicker = lazyPart(
  () => import('#/features/places/components/location-picker.tsx'),
  PartMissing,
  <Skeleton height="24rem" />,
);
