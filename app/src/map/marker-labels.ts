// What a screen reader says of the markers, and how their numbers are written, in the page's language.
import { once } from '#/core/once.ts';
import type { Translate } from '#/i18n/i18n.ts';
import type { MarkerLabels } from '#/map/marker-element.ts';

/** @param withDogs whether the dogs there now are known, and so said */
export function markerLabels(t: Translate, locale: string, withDogs: boolean): MarkerLabels {
  const compact = once(() => new Intl.NumberFormat(locale, { notation: 'compact' }));
  return {
    withDogs,
    park: ({ name, dogs }) => (withDogs ? t('home.marker.park', { name, dogs }) : name),
    cluster: ({ count, dogs }) =>
      withDogs ? t('home.marker.cluster', { count, dogs }) : t('places.picker.cluster', { count }),
    // All three languages write the same digits, and making a formatter holds the first screen of a slow phone for 60 ms.
    number: (value) => (value < 1000 ? String(value) : compact().format(value)),
  };
}
