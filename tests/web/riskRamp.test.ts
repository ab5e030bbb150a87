import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { contrastOf } from '../../bot/agents/designer/style/contrast.ts';

const [light = '', dark = ''] = readFileSync('web/styles/tokens.css', 'utf8').split(
  /\[data-mantine-color-scheme="dark"\]/,
);

/** The colours of the five risks, lowest first, of their grounds or of the words on them. */
const ramp = (theme: string, part: 'risk' | 'risk-ink'): string[] =>
  [1, 2, 3, 4, 5].map(
    (risk) =>
      theme
        .match(/--arc-[\w-]+: #\w+/g)
        ?.find((it) => it.startsWith(`--arc-${part}-${risk}:`))
        ?.split(' ')[1] ?? '',
  );

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Not pastel: a step may differ from the ramp that was chosen where its words need the contrast. */
test('in the dark the risks go from nearly the page to a full red', () => {
  const chosen = ['#2a2825', '#4b3d20', '#86591a', '#d0743f', '#f0434a'];
  for (const [at, colour] of ramp(dark, 'risk').entries())
    for (const [channel, value] of channels(colour).entries())
      expect(Math.abs(value - (channels(chosen[at] ?? '')[channel] ?? 0))).toBeLessThanOrEqual(16);
});

test.each([
  ['light', light],
  ['dark', dark],
])('in the %s each risk can be read', (_, theme) => {
  const inks = ramp(theme, 'risk-ink');
  for (const [at, ground] of ramp(theme, 'risk').entries())
    expect(contrastOf(inks[at] ?? '', ground)).toBeGreaterThanOrEqual(4.5);
});
