import { expect, test } from '@jest/globals';
import { runInThread } from '../../../bot/engine/files/threads.ts';

const input = (text: string, name = 'Rule.md') => ({
  job: 'plan',
  source: { name, bytes: Buffer.from(text) },
  given: { values: {}, chosen: {} },
});
const run = (text: string, { accountId = 1, name = 'Rule.md', milliseconds = 20_000 } = {}) =>
  runInThread('professionaliser', { accountId, input: input(text, name) }, milliseconds);
/** Takes seconds, where a short document takes as long as its thread needs to start. */
const LONG = Array.from({ length: 12_000 }, (_, at) => `${at} Keep the vaccine at 5 °C, as appropriate.`).join('\n\n');

test('work that takes longer than it may is stopped, and its server answers all the while', async () => {
  let beats = 0;
  const beat = setInterval(() => {
    beats += 1;
  }, 5);
  await expect(run(LONG, { milliseconds: 200 })).rejects.toMatchObject({ name: 'FileError', code: 'too_slow' });
  clearInterval(beat);
  // On the main thread not one would have come.
  expect(beats).toBeGreaterThan(3);
});

test('a company whose document is slow holds up no other company, and its own next one comes after it', async () => {
  const ended: string[] = [];
  const noted = (name: string, work: Promise<unknown>) => work.catch(() => null).then(() => void ended.push(name));
  await Promise.all([
    noted('slow', run(LONG, { accountId: 1 })),
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
