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
class Directed implements LabelSymbolizer {
  readonly #inner: LabelSymbolizer;
  readonly #language: Language;

  constructor(inner: LabelSymbolizer, language: Language) {
    this.#inner = inner;
    this.#language = language;
  }

  place(...[layout, geometry, feature]: Parameters<LabelSymbolizer['place']>) {
    const placed = this.#inner.place(layout, geometry, feature);
    const direction = directionOf(this.#nameOf(feature));
    return placed?.map((label) => ({
      ...label,
      draw: (...[context, extra]: Parameters<typeof label.draw>) => {
        context.direction = direction;
        context.textAlign = 'left';
        context.lineJoin = 'round';
        label.draw(context, extra);
      },
    }));
  }

  #nameOf({ props }: Feature): string {
    const names = nameProperties(this.#language, props).map((name) => props[name]);
    return names.find((name) => typeof name === 'string') ?? '';
  }
}

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
  new Directed(
    new CenteredTextSymbolizer({ ...textOf(look, language), width: 2, lineHeight: 1.3 }),
    language,
  );

export const nameAlong = (look: NameLook, language: Language): LabelSymbolizer =>
  new Directed(
    new LineLabelSymbolizer({
      ...textOf(look, language),
      width: 4,
      // In the middle of its street.
      position: LineLabelPlacement.Center,
      repeatDistance: 320,
    }),
    language,
  );
