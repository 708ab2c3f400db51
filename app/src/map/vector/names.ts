// The names on the drawn map: which one a person reads, and in which direction it runs.
import {
  CenteredTextSymbolizer,
  LineLabelPlacement,
  LineLabelSymbolizer,
  type Feature,
  type LabelSymbolizer,
} from 'protomaps-leaflet';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';

/** Hebrew and Arabic, with the forms that are letters of their own. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LETTER = /\p{L}/u;

type Properties = Feature['props'];

/**
 * The properties that may have a thing's name, the best first: in the person's language, else the part of the local name in the
 * person's letters (`name`, `name2` and `name3` are its parts, each in one script), else as the place itself says it.
 */
export function nameProperties(language: Language, props: Properties): string[] {
  const part = ['', '2', '3'].find(
    (number) =>
      props[`name${number}`] !== undefined &&
      // Of Latin letters schema 4 says nothing.
      (props[`script${number}`] ?? 'Latin') === LANGUAGES[language].script,
  );
  return [`name:${language}`, `name${part ?? ''}`, 'name'];
}

/** The direction of a text as its first letter says, as `dir="auto"` has it. */
export const directionOf = (text: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';

/**
 * Names whose digits and brackets stand where a reader of them expects it. The browser shapes and orders the letters; what it
 * must be told is which way the whole runs, for the page's own direction does not reach a canvas in a worker.
 */
const directed = (inner: LabelSymbolizer, language: Language): LabelSymbolizer => ({
  place(layout, geometry, feature) {
    const names = nameProperties(language, feature.props).map((name) => feature.props[name]);
    const direction = directionOf(names.find((name) => typeof name === 'string') ?? '');
    return inner.place(layout, geometry, feature)?.map((label) => ({
      ...label,
      draw(context, extra) {
        context.direction = direction;
        context.textAlign = 'left';
        context.lineJoin = 'round';
        label.draw(context, extra);
      },
    }));
  },
});

interface NameLook {
  size: number;
  weight: number;
  fill: string;
  halo: string;
}

const FAMILY = 'Rubik, system-ui, sans-serif';

const textOf = ({ size, weight, fill, halo }: NameLook, language: Language) => ({
  labelProps: (_zoom: number, feature?: Feature) => nameProperties(language, feature?.props ?? {}),
  font: `${String(weight)} ${String(size)}px ${FAMILY}`,
  fill,
  stroke: halo,
});

/** A name in the middle of a place, on several lines where it is long. */
export const nameOfPlace = (look: NameLook, language: Language): LabelSymbolizer =>
  directed(
    new CenteredTextSymbolizer({ ...textOf(look, language), width: 2, lineHeight: 1.3 }),
    language,
  );

export const nameAlong = (look: NameLook, language: Language): LabelSymbolizer =>
  directed(
    new LineLabelSymbolizer({
      ...textOf(look, language),
      width: 4,
      // In the middle of its street.
      position: LineLabelPlacement.Center,
      repeatDistance: 320,
    }),
    language,
  );
