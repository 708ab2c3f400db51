// Labels on the vector map: which name is used, and in which direction.
import {
  CenteredTextSymbolizer,
  LineLabelPlacement,
  LineLabelSymbolizer,
  type Feature,
  type LabelSymbolizer,
} from 'protomaps-leaflet';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';

/** Hebrew and Arabic, including presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LETTER = /\p{L}/u;

type Properties = Feature['props'];

/**
 * Properties that may contain the name, best first: in the user's language, then the part of the local name in the user's script
 * (`name`, `name2` and `name3` each have one script), then the full local name.
 */
export function nameProperties(language: Language, props: Properties): string[] {
  const part = ['', '2', '3'].find(
    (number) =>
      props[`name${number}`] !== undefined &&
      // Schema 4 sets no script for Latin.
      (props[`script${number}`] ?? 'Latin') === LANGUAGES[language].script,
  );
  return [`name:${language}`, `name${part ?? ''}`, 'name'];
}

/** Direction of a text according to its first letter, like `dir="auto"`. */
export const directionOf = (text: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';

/**
 * Sets a label's base direction, so that digits and brackets are in the right place. The browser shapes and orders letters, but a
 * canvas in a worker does not inherit the page's direction.
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

/** Returns a label in the middle of a place. Long names are wrapped. */
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
      position: LineLabelPlacement.Center,
      repeatDistance: 320,
    }),
    language,
  );
