import { expect, test } from '@jest/globals';
import { runInThread } from '../../../bot/engine/files/threads.ts';

const input = (text: string, name = 'Rule.md') => ({
  job: 'plan',
  source: { name, bytes: Buffer.from(text) },
  given: { values: {}, chosen: {} },
});
const run = (text: string, { accountId = 1, name = 'Rule.md', milliseconds = 20_000 } = {}) =>
  runInThread('professionaliser', { accountId, input: input(text, name) }, milliseconds);
/** Takes minutes: a search begins anew at every space. */
const SLOW = `${' '.repeat(40_000)}x`;
const STOPPED = { name: 'FileError', code: 'too_slow' };

test('a document that is made to be slow is stopped, and its server answers all the while', async () => {
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 20);
  const slow = expect(run(SLOW, { milliseconds: 1500 })).rejects.toMatchObject(STOPPED);
  await slow;
  clearInterval(beat);
  // Blocked, it would have stood for minutes.
  expect(longest).toBeLessThan(5000);
});

test('a company whose document is slow holds up no other company, and its own next one comes after it', async () => {
  const ended: string[] = [];
  const noted = (name: string, work: Promise<unknown>) => work.catch(() => null).then(() => void ended.push(name));
  await Promise.all([
    noted('slow', run(SLOW, { accountId: 1, milliseconds: 5000 })),
    noted('its next', run('# A\n\nKeep it.', { accountId: 1 })),
    noted('of another company', run('# A\n\nKeep it.', { accountId: 2 })),
  ]);
  expect(ended).toEqual(['of another company', 'slow', 'its next']);
});

test.each([
  ['a document that is nested too deeply', '> '.repeat(20_000), 'Rule.md', 'unreadable'],
  ['another kind of file', 'x', 'Rule.pdf', 'not_read'],
])('%s is refused with what to do, and ends no thread for the next', async (_, text, name, code) => {
  await expect(run(text, { name })).rejects.toMatchObject({ name: 'FileError', code });
  expect(await run('# A\n\nKeep it.')).toMatchObject({ variants: [] });
});
