import { describe, expect, test } from '@jest/globals';
import type { Asked } from '../../../bot/engine/questions/kinds/kind.ts';
import { toolUse } from '../../../bot/engine/questions/kinds/toolUse.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import { answerOf } from '../../../models/contracts/questionView.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';

const CONTEXT = {
  toolLabel: 'Write a note',
  arguments: [
    { name: 'text', label: 'Text of the note', text: 'Close V1' },
    { name: '__proto__', label: 'Copies', text: '2' },
  ],
};
const row = makeInterrupt({ _id: 8, interruptType: 'tool_use', prompt: 'Clara asks. May I?', context: CONTEXT });
const asked = (more: object = {}) =>
  ({ id: 8, prompt: row.prompt, context: CONTEXT, userResponse: null, ...more }) as never as Asked;
const check = (answer: object) => toolUse.check(row, answer);
const actionsUnder = (mode: ConsentMode) => toolUse.view(asked(), mode).actions.map(({ id }) => id);

describe('the use of a tool is shown', () => {
  test('with its exact arguments, each to be changed', () => {
    const { sections, fields } = toolUse.view(asked(), 'full');
    expect(sections[0]?.items.map(({ title, text }) => [title, text])).toEqual([
      ['Text of the note', 'Close V1'],
      ['Copies', '2'],
    ]);
    expect(fields.map(({ name, value }) => [name, value])).toEqual([
      ['argument1', 'Close V1'],
      ['argument2', '2'],
      ['words', undefined],
      ['reason', undefined],
    ]);
    expect(actionsUnder('full')).toEqual(['approve', 'change', 'words', 'reject']);
  });

  test.each(['redacted', 'reference-only'] as const)('under %s without them, and so not to be approved', (mode) => {
    const view = toolUse.view(asked(), mode);
    expect(JSON.stringify(view)).not.toMatch(/Close V1|Text of the note|Clara asks/);
    expect(actionsUnder(mode)).toEqual(['words', 'reject']);
  });
});

describe('an answer', () => {
  test.each([
    [{ approved: true }, { approved: true, edits: {}, words: null }, 'approved'],
    [{ approved: false }, { approved: false, edits: {}, words: null }, 'rejected'],
    [
      { approved: true, userResponse: { choices: { argument1: 'Close V2' } } },
      { approved: true, edits: { text: 'Close V2' }, words: null },
      'modified',
    ],
    [
      { approved: true, userResponse: { choices: { argument1: 'Close V1' } } },
      { approved: true, edits: {}, words: null },
      'approved',
    ],
    [
      { approved: true, userResponse: { choices: { argument3: 'x' } } },
      { approved: true, edits: {}, words: null },
      'approved',
    ],
    [
      { approved: false, userResponse: { choices: { argument1: 'x' } } },
      { approved: false, edits: {}, words: null },
      'rejected',
    ],
    [{ userResponse: { text: ' Only V3 ' } }, { approved: false, edits: {}, words: 'Only V3' }, 'answered'],
  ])('%j is recorded as %j', (answer, userResponse, outcome) => {
    expect(check(answer)).toEqual({ userResponse, outcome });
  });

  test.each([
    {},
    { userResponse: {} },
    { userResponse: { text: ' ' } },
    { userResponse: { text: 'x'.repeat(2001) } },
    { userResponse: 'yes' },
    { approved: true, userResponse: { choices: { argument1: 7 } } },
    { approved: true, userResponse: { choices: { argument1: 'x'.repeat(8001) } } },
  ])('%j is refused', (answer) => {
    expect(() => check(answer)).toThrow();
  });

  test('of a pressed button carries what was typed', () => {
    const view = toolUse.view(asked(), 'full');
    const pressed = answerOf(view, { action: 'change', fields: { argument1: 'Close V2', argument2: '2' } });
    expect(check(pressed ?? {})).toMatchObject({ outcome: 'modified', userResponse: { edits: { text: 'Close V2' } } });
    const words = answerOf(view, { action: 'words', fields: { words: 'Only V3' } });
    expect(check(words ?? {})).toMatchObject({ outcome: 'answered', userResponse: { words: 'Only V3' } });
  });
});

test.each([
  ['yes please', { approved: true }],
  ['no', { approved: false }],
  ['no: not today', { approved: false, reason: 'not today' }],
  ['change: only on Mondays', { userResponse: { text: 'only on Mondays' } }],
  ['Instead, only V3', { userResponse: { text: 'only V3' } }],
  ['Which valves are open?', null],
  ['changes are welcome', null],
])('in words: %s', (text, answer) => {
  expect(toolUse.readWords?.(row, text) ?? null).toEqual(answer);
});

test('what should be different is told in the outcome, where it may be', () => {
  const answered = asked({ userResponse: { approved: false, edits: {}, words: 'Only V3' } });
  expect(toolUse.answered?.(answered, 'full')).toBe('“Only V3”');
  expect(toolUse.answered?.(answered, 'reference-only')).toBeNull();
  expect(toolUse.answered?.(asked({ userResponse: { approved: true, edits: {}, words: null } }), 'full')).toBeNull();
});
