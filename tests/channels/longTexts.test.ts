import { expect, test } from '@jest/globals';
import { askedBeside } from '../../bot/agents/clinical_safety/intents.ts';
import { readWords } from '../../bot/channels/slack/words.ts';

/** Characters of a long message. While the patterns were quadratic they took over eight seconds for it. */
const LONG = 50_000;
const MAX_MS = 1000;

const milliseconds = (work: () => unknown): number => {
  const begun = performance.now();
  work();
  return performance.now() - begun;
};
const repeated = (unit: string) => unit.repeat(LONG / unit.length);

test.each(['<', '<@', '<@A|', '<#A|', '<!a', '<!a|', '<http', '<a|'])(
  'a Slack message of %j is parsed quickly',
  (unit) => {
    const text = repeated(unit);
    let read = '';
    expect(milliseconds(() => (read = readWords(text, 'U1')))).toBeLessThan(MAX_MS);
    expect(read).toBe(text);
  },
);

test('a message of spaces with a file is parsed quickly, and its request is found', () => {
  const spaces = repeated(' ');
  let asked: string | null = '';
  expect(milliseconds(() => (asked = askedBeside(`the log${spaces}is here`)))).toBeLessThan(MAX_MS);
  expect(asked).toBeNull();
  expect(askedBeside(`Here is our log \t and \n  then please  analyse it`)).toMatch(/analyse/);
});
