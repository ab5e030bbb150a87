import { contrastOf, mix, readableOn } from './contrast.ts';

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
  /** What people read as its typography. */
  typography: { primary: string };
  /** As in CSS; every face stands on the machine already. */
  fonts: string;
  radius: number;
  light: Palette;
  dark: Palette;
};

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const DANGER = '#b3261e';

/** Both themes from one accent and one tint of grey, each colour as near to the wish as it can be read. */
function palettes(accent: string, grey: string, least = 4.5): Pick<Style, 'light' | 'dark'> {
  const light = { page: mix(grey, '#ffffff', 0.93), surface: '#ffffff', text: mix(grey, '#000000', 0.82) };
  const dark = {
    page: mix(grey, '#000000', 0.86),
    surface: mix(grey, '#000000', 0.76),
    text: mix(grey, '#ffffff', 0.9),
  };
  const paint = (ground: typeof light, hardest: string): Palette => {
    const main = readableOn(accent, hardest, least);
    return {
      ...ground,
      soft: readableOn(mix(grey, ground.text, 0.35), hardest, least),
      border: mix(ground.surface, ground.text, 0.3),
      accent: main,
      onAccent: contrastOf('#ffffff', main) >= contrastOf('#101418', main) ? '#ffffff' : '#101418',
      danger: readableOn(DANGER, hardest),
    };
  };
  // What is read on the darker of two light grounds, or on the lighter of two dark ones, is read on the other too.
  return { light: paint(light, light.page), dark: paint(dark, dark.surface) };
}

const SANS = 'Arial, "Helvetica Neue", Helvetica, sans-serif';
const SYSTEM = 'system-ui, "Segoe UI", Roboto, Ubuntu, sans-serif';
const SERIF = 'Georgia, Cambria, "Times New Roman", serif';
const WIDE = 'Verdana, "DejaVu Sans", Geneva, sans-serif';

const style = (
  name: string,
  description: string,
  [face, fonts]: [face: string, fonts: string],
  radius: number,
  accent: string,
  grey: string,
  least?: number,
): Style => ({
  name,
  description,
  typography: { primary: face },
  fonts,
  radius,
  ...palettes(accent, grey, least),
});

/** What can be chosen, three at a time. */
export const STYLES: readonly Style[] = [
  style('Clinic blue', 'Plain and familiar to staff; square corners.', ['Arial', SANS], 4, '#005eb8', '#5b6b7a'),
  style('Calm teal', 'Quiet, for long shifts; soft corners.', ['System sans serif', SYSTEM], 8, '#0b5d5b', '#65706c'),
  style(
    'High contrast',
    'Strong lines and large letters, for bright rooms.',
    ['Verdana', WIDE],
    2,
    '#1d1d1b',
    '#4a4a4a',
    10,
  ),
  style('Warm plum', 'Friendly, for patients and families.', ['System sans serif', SYSTEM], 12, '#7a2e5d', '#746a6f'),
  style('Forest', 'Restful green on a neutral ground.', ['Arial', SANS], 6, '#1e6b3a', '#66706a'),
  style('Paper', 'Letters with serifs, for reading much text.', ['Georgia', SERIF], 4, '#7a4a12', '#77716a'),
];

const STYLES_SHOWN = 3;
/** The answer that asks for the next three. */
export const OTHER_STYLES = 'Show other styles';

const HEX = /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/i;

/** The style of somebody's own colour, where their words name one as "#0b5d5b"; else null. */
export function ownStyle(words: string): Style | null {
  const [colour] = HEX.exec(words) ?? [];
  if (!colour) return null;
  const whole = mix(colour.toLowerCase(), '#000000', 0);
  return style(
    'Your colour',
    `Your ${colour}, made dark or light enough to read.`,
    ['System sans serif', SYSTEM],
    8,
    whole,
    '#666b70',
  );
}

/** The styles on a page of three; a person's own colour is always among them. */
export function stylesOn(page: number, words: string): Style[] {
  const own = ownStyle(words);
  const at = (page * STYLES_SHOWN) % STYLES.length;
  return [...(own ? [own] : []), ...STYLES.slice(at, at + STYLES_SHOWN)];
}

/** The style of a name; the first where there is none of it any more. */
export const styleNamed = (name: string, words: string): Style =>
  [...STYLES, ownStyle(words)].find((one) => one?.name === name) ?? (STYLES[0] as Style);

const WORDS: readonly [words: RegExp, name: string][] = [
  [/\b(blue|NHS colours?)\b/i, 'Clinic blue'],
  [/\bteal|turquoise\b/i, 'Calm teal'],
  [/\b(high contrast|black and white|monochrome)\b/i, 'High contrast'],
  [/\b(plum|purple|pink|warm)\b/i, 'Warm plum'],
  [/\b(green|forest)\b/i, 'Forest'],
  [/\b(serifs?|paper|brown|sepia)\b/i, 'Paper'],
];

/** The style that a wish names by its name, its colour or a colour of one's own; null where it speaks of none. */
export function styleWished(words: string): string | null {
  const named = STYLES.find(({ name }) => words.toLowerCase().includes(name.toLowerCase()));
  return named?.name ?? ownStyle(words)?.name ?? WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** As a question shows it: four colours of its light theme. */
export const styleOption = ({ name, description, typography, light }: Style) => ({
  name,
  description,
  colors: [light.accent, light.text, light.page, light.danger],
  typography,
});
