import { describe, expect, test } from '@jest/globals';
import { viewInterrupt } from '../../../bot/engine/delivery/viewInterrupt.ts';
import {
  kindOf,
  registerQuestionKind,
  requireAnswerable,
  viewQuestion,
} from '../../../bot/engine/questions/kinds/index.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';
import { nextNumber } from '../../factories/who.ts';

const OPTIONS = ['Keep', { id: 'edit', label: 'Change it', action: 'edit' }];
const asked = (row: Partial<InterruptRow>) => viewInterrupt(makeInterrupt({ _id: 7, ...row }), null, 'UTC');

describe('an answer in a few words', () => {
  const LONG = 'x'.repeat(101);
  test.each<[kind: string, given: unknown, mode: ConsentMode, said: string | null]>([
    ['input', { userInput: 'Seven' }, 'full', 'Seven'],
    ['input', { userInput: 'Seven' }, 'redacted', null],
    ['input', { userInput: 'Seven' }, 'reference-only', null],
    ['input', { userInput: LONG.slice(1) }, 'full', LONG.slice(1)],
    ['input', { userInput: LONG }, 'full', `${'x'.repeat(99)}…`],
    ['input', { userInput: '' }, 'full', null],
    ['input', {}, 'full', null],
    ['input', null, 'full', null],
    ['decision', { selectedOption: 'Keep' }, 'full', 'Keep'],
    ['decision', { selectedOption: 'edit' }, 'full', 'Change it'],
    ['decision', { selectedOption: 'edit' }, 'redacted', 'Option 2'],
    ['decision', { selectedOption: 'Keep' }, 'reference-only', 'Option 1'],
    ['decision', { selectedOption: 'gone' }, 'full', null],
    ['decision', null, 'full', null],
    ['project_preview', { choice: 'edit', text: 'Red' }, 'full', 'Change it'],
    ['project_preview', { choice: 'Keep' }, 'redacted', 'Option 1'],
    ['project_preview', null, 'full', null],
    ['REPLIT_PROJECT_CREATED', { choice: 'Keep' }, 'full', 'Keep'],
    ['made_up', { choice: 'edit' }, 'full', 'Change it'],
    ['made_up', { choice: 'edit' }, 'redacted', 'Option 2'],
    ['made_up', { text: 'Seven' }, 'full', null],
    ['made_up', null, 'full', null],
    ['approval', { approved: true }, 'full', null],
    ['hazard_review', { rows: [] }, 'full', null],
  ])('%s, %j, %s: %j', (interruptType, userResponse, mode, said) => {
    const question = asked({ interruptType, options: OPTIONS, userResponse } as Partial<InterruptRow>);
    expect(kindOf(interruptType).answered?.(question, mode) ?? null).toBe(said);
  });
});

describe('a whole message', () => {
  const MOST = 'x'.repeat(8000);
  test.each<[kind: string, options: InterruptRow['options'], text: string, isAnswer: boolean]>([
    ['input', [], 'Seven', true],
    ['input', [], MOST, true],
    ['input', [], `${MOST}x`, false],
    ['made_up', [], 'Seven', true],
    ['made_up', [], MOST, true],
    ['made_up', [], `${MOST}x`, false],
    ['made_up', ['Keep'], 'Seven', false],
    ['made_up', OPTIONS, 'Seven', false],
    ['approval', [], 'Seven', false],
    ['decision', OPTIONS, 'Keep', false],
    ['project_preview', OPTIONS, 'Keep', false],
    ['hazard_review', [], 'Seven', false],
  ])('to a question of %s with the options %j, %.9s: an answer is %j', (interruptType, options, text, isAnswer) => {
    const read = kindOf(interruptType).readMessage?.({ options }, text) ?? null;
    expect(read).toEqual(isAnswer ? { userInput: text } : null);
  });
});

describe('a question’s request', () => {
  const reason = { name: 'reason', label: 'Reason', required: false, maxLength: 2000, answers: 'reason' };
  const answer = { name: 'answer', label: 'Your answer', required: true, maxLength: 8000, answers: 'userInput' };
  const change = {
    name: 'change',
    label: 'What should change',
    required: true,
    maxLength: 8000,
    answers: 'userResponse.text',
  };
  test.each<[kind: string, options: InterruptRow['options'], fields: object[], actions: string[]]>([
    ['approval', [], [reason], ['primary approve "Approve" ', 'danger reject "Reject" reason']],
    ['decision', OPTIONS, [], ['plain option:0 "Keep" ', 'plain option:1 "Change it" ']],
    ['input', [], [answer], ['primary input "Send answer" answer']],
    ['project_preview', OPTIONS, [change], ['plain option:0 "Keep" ', 'plain option:1 "Change it" change']],
    ['made_up', OPTIONS, [], ['plain option:0 "Keep" ', 'plain option:1 "Change it" ']],
    ['made_up', ['Keep'], [], ['plain option:0 "Keep" ']],
    ['made_up', [], [answer], ['primary input "Send answer" answer']],
    [
      'hazard_review',
      [],
      [reason],
      [
        'primary review "Review row by row"  opens rows',
        'plain approve "Accept all" ',
        'danger reject "Reject all" reason',
      ],
    ],
  ])('of %s with the options %j', (interruptType, options, fields, actions) => {
    const { view } = asked({ interruptType, options });
    expect(view.fields).toEqual(fields);
    expect(view.rows === null).toBe(interruptType !== 'hazard_review');
    expect(
      view.actions.map(
        ({ tone, id, label, fields: needs, opens }) =>
          `${tone} ${id} "${label}" ${needs.join()}${opens ? ` opens ${opens}` : ''}`,
      ),
    ).toEqual(actions);
  });

  test.each(['redacted', 'reference-only'] as const)('numbers its options under %s', (mode) => {
    for (const interruptType of ['decision', 'project_preview', 'made_up']) {
      const { actions } = viewQuestion(asked({ interruptType, options: OPTIONS }), mode);
      expect(actions.map(({ label }) => label)).toEqual(['Option 1', 'Option 2']);
    }
  });

  test.each([
    ['approval', 'Approval'],
    ['decision', 'Decision'],
    ['input', 'Input'],
    ['hazard_review', 'Hazard review'],
    ['project_preview', 'Project preview'],
    ['REPLIT_PROJECT_CREATED', 'Project created'],
    ['made_up', 'Question'],
  ])('%s is called “%s”', (interruptType, label) => {
    expect(asked({ interruptType }).view.label).toBe(label);
  });
});

describe('a hazard review shows', () => {
  const quoted = makeProposal({
    evidence: [
      { ticketKey: 'EX-1', summary: 'A', quote: 'the first' },
      { ticketKey: 'EX-2', summary: 'B', quote: 'the second' },
    ],
    candidates: [
      { kbId: 'MED-02', title: 'Wrong dose', category: 'Medicines', score: 3 },
      { kbId: 'MED-08', title: 'Dose calculation', category: 'Medicines', score: 2 },
    ],
  });
  const bare = makeProposal({ id: 'p2', proposedId: 'H2', evidence: [], candidates: [] });
  const context = { rows: [quoted, bare], headline: 'Two new hazards' };
  const question = asked({ interruptType: 'hazard_review', prompt: 'Review them.', context });

  test.each<[ConsentMode, string, [string, string | null, string | null][], number]>([
    [
      'full',
      'Review them.',
      [
        ['H1', 'Wrong dose shown', 'EX-1: the first'],
        ['H2', 'Wrong dose shown', null],
      ],
      2,
    ],
    [
      'redacted',
      'Please review 2 proposals (question 7).',
      [
        ['H1', 'Wrong dose', null],
        ['H2', null, null],
      ],
      1,
    ],
    [
      'reference-only',
      'Please review 2 proposals (question 7).',
      [
        ['H1', null, null],
        ['H2', null, null],
      ],
      1,
    ],
  ])('under %s no more than consent allows', (mode, prompt, items, sections) => {
    const view = viewQuestion(question, mode);
    expect(view.prompt).toBe(prompt);
    expect(view.rows?.rows.map(({ name }) => name)).toEqual(['H1', 'H2']);
    expect(view.sections).toHaveLength(sections);
    expect(view.sections.at(-1)?.more).toBe(0);
    expect(
      view.sections
        .at(-1)
        ?.items.map(({ title, text, quote }) => [title, text, quote && `${quote.source}: ${quote.text}`]),
    ).toEqual(items);
  });

  test('one proposal as one, and none as no list', () => {
    const { prompt, sections } = viewQuestion(
      asked({ interruptType: 'hazard_review', context: { rows: [bare] } }),
      'redacted',
    );
    expect([prompt, sections.length]).toEqual(['Please review 1 proposal (question 7).', 1]);
    const none = viewQuestion(asked({ interruptType: 'hazard_review', context: {} }), 'redacted');
    expect([none.prompt, none.sections]).toEqual(['Please review 0 proposals (question 7).', []]);
  });

  test('who signs it, and that its decisions are saved as they are made', () => {
    expect(kindOf('hazard_review')).toMatchObject({ requires: 'clinical-safety-officer', hasDraft: true });
  });

  const begun = { ...question, draft: { rows: [{ id: 'p1', outcome: 'accepted' }] } } as typeof question;
  test.each<[object, boolean]>([
    [{ approved: true }, true],
    [{ approved: false }, true],
    [{}, false],
    [{ userResponse: { rows: [] } }, false],
  ])('for %j, a refusal of one word for all before anything is typed: %j', (answer, isRefused) => {
    const look = () => requireAnswerable(begun, answer);
    if (isRefused) expect(look).toThrow(expect.objectContaining({ code: 'review_begun' }));
    else expect(look).not.toThrow();
    expect(() => requireAnswerable(question, answer)).not.toThrow();
  });
});

test('a kind from an agent is found by its id, and changes no other', () => {
  const id = `tests-own-${nextNumber()}`;
  expect(kindOf(id).label).toBe('Question');
  registerQuestionKind({ ...kindOf('input'), id, label: 'Our own' });
  expect([kindOf(id).label, kindOf('input').label]).toEqual(['Our own', 'Input']);
});
