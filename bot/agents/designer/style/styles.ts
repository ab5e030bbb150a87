import { contrastOf, makeReadable, mix } from './contrast.ts';

/** The colours of one theme. */
export type Palette = {
  page: string;
  surface: string;
  text: string;
  soft: string;
  border: string;
  accent: string;
  onAccent: string;
  danger: string;
};

export type Style = {
  name: string;
  description: string;
  /** The name of the typeface, for people. */
  typography: { primary: string };
  /** The CSS font stack, of system fonts only. */
  fonts: string;
  radius: number;
  light: Palette;
  dark: Palette;
};

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const DANGER = '#b3261e';

/** Makes both themes from an accent and a grey. Each colour is changed as little as contrast requires. */
function makePalettes(accent: string, grey: string, minContrast = 4.5): Pick<Style, 'light' | 'dark'> {
  const light = { page: mix(grey, '#ffffff', 0.93), surface: '#ffffff', text: mix(grey, '#000000', 0.82) };
  const dark = {
    page: mix(grey, '#000000', 0.86),
    surface: mix(grey, '#000000', 0.76),
    text: mix(grey, '#ffffff', 0.9),
  };
  const paint = (ground: typeof light, background: string): Palette => {
    const main = makeReadable(accent, background, minContrast);
    return {
      ...ground,
      soft: makeReadable(mix(grey, ground.text, 0.35), background, minContrast),
      border: mix(ground.surface, ground.text, 0.3),
      accent: main,
      onAccent: contrastOf('#ffffff', main) >= contrastOf('#101418', main) ? '#ffffff' : '#101418',
      danger: makeReadable(DANGER, background),
    };
  };
  // Colours that are readable on the darker of two light backgrounds, or on the lighter of two dark ones, are also
  // readable on the other.
  return { light: paint(light, light.page), dark: paint(dark, dark.surface) };
}

const SANS = 'Arial, "Helvetica Neue", Helvetica, sans-serif';
const SYSTEM = 'system-ui, "Segoe UI", Roboto, Ubuntu, sans-serif';
const SERIF = 'Georgia, Cambria, "Times New Roman", serif';
const WIDE = 'Verdana, "DejaVu Sans", Geneva, sans-serif';

const makeStyle = (
  name: string,
  description: string,
  [face, fonts]: [face: string, fonts: string],
  radius: number,
  accent: string,
  grey: string,
  minContrast?: number,
): Style => ({
  name,
  description,
  typography: { primary: face },
  fonts,
  radius,
  ...makePalettes(accent, grey, minContrast),
});

/** The styles to choose from, shown three at a time. */
export const STYLES: readonly Style[] = [
  makeStyle('Clinic blue', 'Plain and familiar to staff; square corners.', ['Arial', SANS], 4, '#005eb8', '#5b6b7a'),
  makeStyle(
    'Calm teal',
    'Quiet, for long shifts; soft corners.',
    ['System sans serif', SYSTEM],
    8,
    '#0b5d5b',
    '#65706c',
  ),
  makeStyle(
    'High contrast',
    'Strong lines and large letters, for bright rooms.',
    ['Verdana', WIDE],
    2,
    '#1d1d1b',
    '#4a4a4a',
    10,
  ),
  makeStyle(
    'Warm plum',
    'Friendly, for patients and families.',
    ['System sans serif', SYSTEM],
    12,
    '#7a2e5d',
    '#746a6f',
  ),
  makeStyle('Forest', 'Restful green on a neutral ground.', ['Arial', SANS], 6, '#1e6b3a', '#66706a'),
  makeStyle('Paper', 'Letters with serifs, for reading much text.', ['Georgia', SERIF], 4, '#7a4a12', '#77716a'),
];

const STYLES_PER_PAGE = 3;
/** The option that shows the next three. */
export const OTHER_STYLES = 'Show other styles';

const HEX = /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/i;

/** A style with the colour that a text names, e.g. "#0b5d5b"; null where it names none. */
export function makeOwnStyle(words: string): Style | null {
  const [colour] = HEX.exec(words) ?? [];
  if (!colour) return null;
  const whole = mix(colour.toLowerCase(), '#000000', 0);
  return makeStyle(
    'Your colour',
    `Your ${colour}, made dark or light enough to read.`,
    ['System sans serif', SYSTEM],
    8,
    whole,
    '#666b70',
  );
}

/** The styles on a page of three, after the style with the person's own colour, if any. */
export function listStyles(page: number, words: string): Style[] {
  const own = makeOwnStyle(words);
  const at = (page * STYLES_PER_PAGE) % STYLES.length;
  return [...(own ? [own] : []), ...STYLES.slice(at, at + STYLES_PER_PAGE)];
}

/** The style with a name; the first style where there is none. */
export const findStyle = (name: string, words: string): Style =>
  [...STYLES, makeOwnStyle(words)].find((one) => one?.name === name) ?? (STYLES[0] as Style);

const STYLES_BY_WORD: readonly [words: RegExp, name: string][] = [
  [/\b(blue|NHS colours?)\b/i, 'Clinic blue'],
  [/\bteal|turquoise\b/i, 'Calm teal'],
  [/\b(high contrast|black and white|monochrome)\b/i, 'High contrast'],
  [/\b(plum|purple|pink|warm)\b/i, 'Warm plum'],
  [/\b(green|forest)\b/i, 'Forest'],
  [/\b(serifs?|paper|brown|sepia)\b/i, 'Paper'],
];

/** The name of the style that a text asks for, by name, colour word or colour code; null for none. */
export function readStyleWish(words: string): string | null {
  const named = STYLES.find(({ name }) => words.toLowerCase().includes(name.toLowerCase()));
  return (
    named?.name ?? makeOwnStyle(words)?.name ?? STYLES_BY_WORD.find(([pattern]) => pattern.test(words))?.[1] ?? null
  );
}

/** A style as an option of a question, with four colours of its light theme. */
export const styleOption = ({ name, description, typography, light }: Style) => ({
  name,
  description,
  colors: [light.accent, light.text, light.page, light.danger],
  typography,
});
