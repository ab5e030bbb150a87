import { expect, test } from '@jest/globals';
import { applyWish } from '../../../bot/agents/designer/screen/applyWish.ts';
import { readObjective } from '../../../bot/agents/designer/screen/readObjective.ts';

/** Characters of the longest message that a platform delivers. */
const MAX_CHARACTERS = 50_000;
const MAX_MS = 1500;

const repeated = (unit: string) => unit.repeat(Math.ceil(MAX_CHARACTERS / unit.length)).slice(0, MAX_CHARACTERS);

/** Hostile texts: words that open lists within lists, that could start a title, and that no pattern ends. */
test.each(['see ', 'record ', ': ', ', ', 'ward ', '" ', ' ', 'a, ', 'buttons: a; ', 'x should '])(
  'a text of only %j is read, as an objective and as a wish, without blocking others',
  (unit) => {
    // Of the processor, so that other work on the machine does not count.
    const begun = process.cpuUsage();
    readObjective(`${repeated(unit)}x`);
    const screen = readObjective('A form with pulse and weight');
    applyWish(screen, `add x${repeated(unit)}x`);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000).toBeLessThan(MAX_MS);
  },
);

test('an objective and a wish are read up to 8,000 characters', () => {
  const form = 'A form with pulse and weight';
  const before = (count: number) => `${form}.${' '.repeat(count - form.length - 1)}`;
  const labelsIn = (words: string) => readObjective(words).actions.map(({ label }) => label);
  expect(labelsIn(`${before(7995)}print`)).toContain('Print');
  expect(labelsIn(`${before(7996)}print`)).not.toContain('Print');
  const added = (words: string) => applyWish(readObjective(form), words).screen.fields.length;
  expect(added(`${' '.repeat(7992)}add dose`)).toBe(3);
  expect(added(`${' '.repeat(7996)}add dose`)).toBe(2);
});

test('the first sixty lists of a text are read', () => {
  const labels = (before: number) =>
    readObjective(`A form ${'with . '.repeat(before)}with zorb size.`).fields.map(({ label }) => label);
  expect(labels(59)).toContain('Zorb size');
  expect(labels(60)).not.toContain('Zorb size');
});
