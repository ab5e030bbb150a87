import { describe, expect, test } from '@jest/globals';
import { drawBlock } from '../../../bot/agents/designer/frames/blocksSvg.ts';
import { drawFrame, drawFrames, WIDTHS } from '../../../bot/agents/designer/frames/drawFrames.ts';
import { Pen, wrapText } from '../../../bot/agents/designer/frames/pen.ts';
import { escapeText } from '../../../bot/agents/designer/prototype/escape.ts';
import { PEOPLE } from '../../../bot/agents/designer/prototype/people.ts';
import { renderPrototype } from '../../../bot/agents/designer/prototype/prototype.ts';
import { readObjective } from '../../../bot/agents/designer/screen/readObjective.ts';
import { readTitle } from '../../../bot/agents/designer/screen/readTitle.ts';
import { SCREEN_KINDS, STATES } from '../../../bot/agents/designer/screen/screen.ts';
import { contrastOf } from '../../../bot/agents/designer/style/contrast.ts';
import {
  listStyles,
  makeOwnStyle,
  readStyleWish,
  STYLES,
  type Style,
  THEMES,
} from '../../../bot/agents/designer/style/styles.ts';
import { fileNameOf } from '../../../bot/agents/designer/workflows/results.ts';
import { BLOCKS } from './blocks.ts';
import { OBJECTIVES } from './drawings.ts';

const [first] = STYLES as [Style, ...Style[]];
describe.each(SCREEN_KINDS.map((kind) => [kind, OBJECTIVES[kind]] as const))('a %s', (kind, objective) => {
  const screen = readObjective(objective);
  const page = renderPrototype(screen, first);

  test('is one page that needs nothing from outside, in every state', () => {
    expect(screen.kind).toBe(kind);
    for (const state of STATES) expect(page).toContain(`<main data-state="${state}"`);
    expect(page.match(/https?:\/\//g)).toBeNull();
    expect(page).not.toMatch(/localStorage|sessionStorage|document\.cookie|fetch\(|XMLHttpRequest/);
    expect(page).toContain(`default-src 'none'`);
  });

  test('shows who the patient is on every screen about one', () => {
    const [{ name, nhsNumber }] = PEOPLE;
    for (const state of STATES) {
      const frame = drawFrame(screen, first, state, 'light', 360);
      const isOnePatient = screen.patient && kind !== 'list' && kind !== 'dashboard';
      if (isOnePatient) expect(frame).toContain(`NHS No. ${nhsNumber}`);
    }
    if (screen.patient) expect(page).toContain(name);
  });

  test('has sixteen frames, each a picture of its own width', () => {
    const frames = drawFrames(screen, first);
    expect(new Set(frames.map(({ state, theme, width }) => `${state} ${theme} ${width}`)).size).toBe(16);
    for (const { svg, width, theme } of frames) {
      expect(svg).toMatch(new RegExp(`^<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="\\d+"`));
      expect(svg).toContain(`fill="${first[theme].page}"`);
      expect(svg).not.toMatch(/NaN|undefined/);
    }
  });

  test('is the same page for the same words', () => {
    expect(renderPrototype(readObjective(objective), first)).toBe(page);
  });
});

test('units are beside the numbers, on the page and in the pictures', () => {
  const screen = readObjective(OBJECTIVES.form);
  expect(renderPrototype(screen, first)).toContain('<span class="unit">mmHg</span>');
  expect(drawFrame(screen, first, 'default', 'light', 1280)).toContain('>mmHg<');
});

test('a screen asks before anything that can’t be undone', () => {
  const page = renderPrototype(readObjective(OBJECTIVES.detail), first);
  expect(page).toContain('data-act="Discharge" data-confirms="The stay ends and the bed is freed."');
});

test('people’s words are shown as text and never as markup', () => {
  const evil = '<img src=x onerror=alert(1)>';
  const screen = readObjective('Design a form with date and notes');
  const hostile = {
    ...screen,
    title: evil,
    audience: evil,
    fields: [{ label: evil, type: 'choice' as const, unit: evil, options: [evil], sample: evil, required: true }],
    actions: [{ label: evil, tone: 'primary' as const, confirms: `"${evil}'` }],
  };
  for (const kind of SCREEN_KINDS) {
    const page = renderPrototype({ ...hostile, kind }, first);
    expect(page).not.toContain('<img');
    for (const { svg } of drawFrames({ ...hostile, kind }, first)) expect(svg).not.toContain('<img');
  }
});

test.each([
  [`<a href="x">&'`, '&lt;a href=&quot;x&quot;&gt;&amp;&#39;'],
  ['a\u0000b\u0008c\u001Bd', 'abcd'],
  ['line\nnext', 'line\nnext'],
  ['\uD83D\uDE00 \uD800', '\uD83D\uDE00 '],
])('%j is written as %j', (text, written) => {
  expect(escapeText(text)).toBe(written);
});

test.each([
  ['one two three', 60, 10, ['one two', 'three']],
  ['', 60, 10, ['']],
  ['abcdefghijklmnopqrstu', 54, 10, ['abcdefghij', 'klmnopqrst', 'u']],
])('%j at %i pixels and size %i is %j', (text, width, size, lines) => {
  expect(wrapText(text, width, size)).toEqual(lines);
});

test.each(['form', 'list', 'detail page', 'dashboard', 'settings page'])(
  'a %s whose field is named like a property of every object is drawn with that name',
  (kind) => {
    const screen = readObjective(`Design a ${kind} with __proto__ and dose`);
    expect(screen.fields.map(({ label }) => label)).toContain('__proto__');
    expect(renderPrototype(screen, first)).toContain('__proto__');
    for (const { svg } of drawFrames(screen, first)) expect(svg).not.toContain('[object');
  },
);

// A letter of two UTF-16 units after one of one unit: cutting by units would split a letter.
test.each(['a', 'ab'])('names are cut between whole letters, after %j', (start) => {
  const long = `${start}${'𝒜'.repeat(70)}`;
  expect(fileNameOf(long)).toBe([...long].slice(0, 60).join(''));
  expect(readObjective(`A form: ${long}`).title.isWellFormed()).toBe(true);
  expect(readTitle(long, 'form', 'records')).toMatch(/^.{20}$/u);
});

describe('styles', () => {
  const all = [...STYLES, ...['#ffff00', '#000000', '#ffffff', '#0bf'].map((colour) => makeOwnStyle(colour) as Style)];
  test.each(all.flatMap((style) => THEMES.map((theme) => [style.name, theme, style] as const)))(
    '%s in %s is readable (WCAG 2.2, 1.4.3: 4.5 to 1)',
    (_name, theme, style) => {
      const { page, surface, text, soft, accent, onAccent, danger } = style[theme];
      for (const ground of [page, surface])
        for (const colour of [text, soft, accent, danger])
          expect(contrastOf(colour, ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(accent, onAccent)).toBeGreaterThanOrEqual(4.5);
    },
  );

  // WCAG's own extremes, and a grey calculated by hand: (1 + 0.05) / (0.2159 + 0.05).
  test.each([
    ['#ffffff', '#000000', 21],
    ['#fff', '#ffffff', 1],
    ['#ffffff', '#808080', 3.95],
  ])('the contrast of %s and %s is %d', (one, other, ratio) => {
    expect(contrastOf(one, other)).toBeCloseTo(ratio, 1);
    expect(contrastOf(other, one)).toBeCloseTo(ratio, 1);
  });

  test('are shown three at a time, all of them in turn, each time with the company’s own colour', () => {
    const names = (page: number, words = '') => listStyles(page, words).map(({ name }) => name);
    expect([...names(0), ...names(1)]).toEqual(STYLES.map(({ name }) => name));
    expect(names(2)).toEqual(names(0));
    expect(names(1, 'our colour is #0b5d5b')[0]).toBe('Your colour');
  });

  test.each([
    ['use Calm teal', 'Calm teal'],
    ['make it blue', 'Clinic blue'],
    ['our brand is #123456', 'Your colour'],
    ['a bigger heading', null],
  ])('“%s” wishes for %s', (words, name) => {
    expect(readStyleWish(words)).toBe(name);
  });
});

test('the NHS numbers of example people are from the test range, with a right check digit', () => {
  for (const { nhsNumber } of PEOPLE) {
    const digits = [...nhsNumber.replaceAll(' ', '')].map(Number);
    expect(nhsNumber.startsWith('999')).toBe(true);
    const sum = digits.slice(0, 9).reduce((total, digit, at) => total + digit * (10 - at), 0);
    expect((11 - (sum % 11)) % 11).toBe(digits[9]);
  }
});

describe.each(WIDTHS)('a picture %i pixels wide', (width) => {
  const LETTER = 0.54;
  const numberOf = (part: string, name: string) => Number(new RegExp(` ${name}="([^"]+)"`).exec(part)?.[1]);
  type Box = { left: number; right: number; top: number; bottom: number; text: string };
  /** Where each line of words is, by the average width of a letter. */
  const linesOf = (parts: readonly string[]): Box[] =>
    parts.flatMap((part) => {
      const text = /^<text[^>]*>(.*)<\/text>$/.exec(part)?.[1] ?? '';
      if (text === '') return [];
      const size = numberOf(part, 'font-size');
      const long = text.replace(/&\w+;/g, '.').length * size * LETTER;
      const anchor = /text-anchor="(\w+)"/.exec(part)?.[1];
      const left = numberOf(part, 'x') - (anchor === 'end' ? long : anchor === 'middle' ? long / 2 : 0);
      const base = numberOf(part, 'y');
      return [{ left, right: left + long, top: base - size * 0.7, bottom: base + size * 0.1, text }];
    });
  const meet = (one: Box, other: Box) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  test.each(Object.entries(BLOCKS))('has no words that overlap or leave it: %s', (_name, block) => {
    const pen = new Pen(width, first, first.light);
    pen.y = 10;
    drawBlock(pen, block);
    const lines = linesOf(pen.parts);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line.left).toBeGreaterThanOrEqual(0);
      expect(line.right).toBeLessThanOrEqual(width);
      expect(line.bottom).toBeLessThanOrEqual(pen.y);
    }
    const pairs = lines.flatMap((one, at) => lines.slice(at + 1).map((other) => [one, other] as const));
    expect(pairs.filter(([one, other]) => meet(one, other))).toEqual([]);
  });
});
