import { describe, expect, test } from '@jest/globals';
import { viewInterrupt } from '../../../bot/engine/delivery/viewInterrupt.ts';
import { checkAnswer } from '../../../bot/engine/interrupts/checkAnswer.ts';
import { kindOf, viewQuestion } from '../../../bot/engine/questions/kinds/index.ts';
import { answerOf } from '../../../models/contracts/questionView.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';

const OPTIONS = ['Keep', { id: 'edit', label: 'Change it', action: 'edit' }];
const asked = (row: Partial<InterruptRow>) => viewInterrupt(makeInterrupt({ _id: 7, ...row }), null, 'UTC');

describe('the answer of a pressed action', () => {
  test.each<
    [kind: string, options: InterruptRow['options'], action: string, fields: Record<string, unknown>, answer: unknown]
  >([
    ['approval', [], 'approve', {}, { approved: true }],
    ['approval', [], 'approve', { reason: 'not asked with it' }, { approved: true }],
    ['approval', [], 'reject', { reason: ' Late ' }, { approved: false, reason: 'Late' }],
    ['approval', [], 'reject', { reason: '  ' }, { approved: false }],
    ['approval', [], 'option:0', {}, null],
    ['decision', OPTIONS, 'option:0', {}, { selectedOption: 'Keep' }],
    ['decision', OPTIONS, 'option:1', {}, { selectedOption: 'edit' }],
    ['decision', OPTIONS, 'option:2', {}, null],
    ['decision', OPTIONS, 'option:-1', {}, null],
    ['input', [], 'input', { answer: ' Seven ' }, { userInput: 'Seven' }],
    ['input', [], 'input', { answer: 7 }, {}],
    ['project_preview', OPTIONS, 'option:0', { change: 'not asked with it' }, { userResponse: { choice: 'Keep' } }],
    ['project_preview', OPTIONS, 'option:1', { change: 'Red' }, { userResponse: { choice: 'edit', text: 'Red' } }],
    ['hazard_review', [], 'approve', {}, { approved: true }],
    ['hazard_review', [], 'reject', { reason: 'All known' }, { approved: false, reason: 'All known' }],
    ['hazard_review', [], 'review', {}, null],
    ['made_up', OPTIONS, 'option:1', {}, { selectedOption: 'edit' }],
    ['made_up', [], 'input', { answer: 'Seven' }, { userInput: 'Seven' }],
    ['made_up', [], 'constructor', {}, null],
  ])('%s %j: %s with %j', (interruptType, options, action, fields, answer) =>
    expect(answerOf(asked({ interruptType, options }).view, { action, fields })).toEqual(answer),
  );
});

describe('every action of every kind', () => {
  const kinds = ['approval', 'decision', 'input', 'project_preview', 'REPLIT_PROJECT_CREATED', 'made_up'];
  test.each(kinds)('of %s is accepted with its words, in the same way under every mode', (interruptType) => {
    const row = makeInterrupt({ interruptType, options: interruptType === 'input' ? [] : OPTIONS });
    const question = viewInterrupt(row, null, 'UTC');
    const { view } = question;
    expect(view.actions.length).toBeGreaterThan(0);
    const fields = Object.fromEntries(view.fields.map(({ name }) => [name, 'Words']));
    for (const { id } of view.actions) {
      const answer = answerOf(view, { action: id, fields }) ?? {};
      expect(checkAnswer(row, answer).outcome).toMatch(/^(approved|rejected|answered)$/);
      for (const mode of ['redacted', 'reference-only'] as const)
        expect(answerOf(viewQuestion(question, mode), { action: id, fields })).toEqual(answer);
    }
  });
});

describe('an unknown kind of question', () => {
  test('shows its content and is answered by an option or in words', () => {
    const { view } = asked({
      interruptType: 'made_up',
      prompt: 'Which way?',
      context: { description: 'Two are open.' },
    });
    expect(view).toMatchObject({ label: 'Question', prompt: 'Which way?', sections: [{ text: 'Two are open.' }] });
    expect(view.actions.map(({ label }) => label)).toEqual(['Send answer']);
    expect(asked({ interruptType: 'made_up', options: OPTIONS }).view.actions.map(({ label }) => label)).toEqual([
      'Keep',
      'Change it',
    ]);
  });

  test.each<[answer: object, options: InterruptRow['options'], given: unknown]>([
    [{ selectedOption: 'edit' }, OPTIONS, { choice: 'edit' }],
    [{ userResponse: 'Keep' }, OPTIONS, { choice: 'Keep' }],
    [{ userResponse: { choice: 'Keep', text: ' so ' } }, OPTIONS, { choice: 'Keep', text: 'so' }],
    [{ selectedOption: 'other' }, OPTIONS, 'Choose one of the options.'],
    [{ selectedOption: 'other' }, ['Keep'], 'Choose one of the options.'],
    [{ userInput: 'Keep' }, OPTIONS, 'Choose one of the options.'],
    [{ userInput: ' Seven ' }, [], { text: 'Seven' }],
    [{ userInput: ' ' }, [], 'Please write an answer.'],
    [{}, [], 'Please write an answer.'],
  ])('takes %j of %j as %j', (answer, options, given) => {
    const row = makeInterrupt({ interruptType: 'made_up', options });
    try {
      expect(checkAnswer(row, answer)).toStrictEqual({ userResponse: given, outcome: 'answered' });
    } catch (error) {
      expect(Object.values((error as { fields?: object }).fields ?? {})).toEqual([given]);
    }
  });
});

describe('words as an answer', () => {
  test.each<[kind: string, words: string, answer: unknown]>([
    ['approval', 'Yes please', { approved: true }],
    ['approval', 'yes', { approved: true }],
    ['approval', 'Approved.', { approved: true }],
    ['approval', 'No, thanks', null],
    ['approval', 'no thanks', { approved: false }],
    ['approval', 'yes, but later', null],
    ['approval', 'is it yes?', null],
    ['decision', 'change IT', { selectedOption: 'edit' }],
    ['decision', 'keep', { selectedOption: 'Keep' }],
    ['decision', 'edit', null],
    ['hazard_review', 'yes please', null],
    ['hazard_review', 'accept all rows', { approved: true }],
    ['hazard_review', 'reject everything', { approved: false }],
    ['project_preview', 'keep', { userResponse: { choice: 'Keep' } }],
    ['project_preview', 'Change it: a larger title', { userResponse: { choice: 'edit', text: 'a larger title' } }],
    ['project_preview', 'edit, no weight', { userResponse: { choice: 'edit', text: 'no weight' } }],
    ['project_preview', 'change it', null],
    ['project_preview', 'change it: ', null],
    // None of its options is an approval.
    ['project_preview', 'yes', null],
    ['project_preview', 'keep it for later', null],
    ['made_up', 'keep', { selectedOption: 'Keep' }],
    ['made_up', 'seven', null],
  ])('to %s: “%s”', (interruptType, text, answer) =>
    expect(kindOf(interruptType).readWords?.({ options: OPTIONS }, text) ?? null).toEqual(answer),
  );

  test('a wish is none where nothing can be changed', () => {
    const read = kindOf('project_preview').readWords?.({ options: ['Keep'] }, 'change it: bigger');
    expect(read ?? null).toBeNull();
  });

  test('a yes keeps a project that can be approved', () => {
    const options = [{ id: 'approve', label: 'Keep it', action: 'approve' }, ...OPTIONS];
    expect(kindOf('project_preview').readWords?.({ options }, 'yes please')).toEqual({
      userResponse: { choice: 'approve' },
    });
  });
});

describe('a question’s content', () => {
  const context = {
    headline: 'Two columns',
    objective: 'A form',
    step: 'layout',
    description: 'For wards.',
    layout_spec: { layout: 'two columns', sections: ['Head', { name: 'Form' }, { type: 'Evidence' }, 'Foot'] },
    components: ['Title', { name: 'Field', type: 'text' }, { type: 'Date' }, 'List', 'Button', {}],
    style_options: [
      { name: 'Calm', description: 'Warm.', typography: { primary: 'Inter' }, colors: ['#fff', 'red', '#08574f', 7] },
    ],
    iframeUrl: '/api/replit/preview/1',
  };

  test('has its words, shortened lists with the number left out, its colours, and a page of ours', () => {
    const texts = asked({ context }).view.sections.map(({ heading, text, items, more, frame }) =>
      [
        heading,
        text,
        items.map(({ title, text: said, colours }) => [title, said, ...colours].filter(Boolean).join(' ')).join(' | '),
        more,
        frame,
      ]
        .filter(Boolean)
        .join(': '),
    );
    expect(texts).toEqual([
      'Two columns',
      'Objective: A form',
      'Step: layout',
      'For wards.',
      'Layout: two columns: Head, Form, Evidence +1 more',
      'Components: Title | Field text | Date | List: 1',
      'Styles: Calm Warm. Inter #fff #08574f',
      '/api/replit/preview/1',
    ]);
  });

  test.each(['https://elsewhere.example/', '//elsewhere.example/api/replit/preview/', 'x/api/replit/preview/1'])(
    'has no external page: %s',
    (iframeUrl) => expect(asked({ context: { iframeUrl } }).view.sections).toEqual([]),
  );

  test('is left out if no words may be sent', () => {
    const question = asked({ context, prompt: 'Ward 7?' });
    for (const mode of ['redacted', 'reference-only'] as const)
      expect(viewQuestion(question, mode)).toMatchObject({
        prompt: 'An agent has a question for you (question 7).',
        sections: [],
      });
  });

  test('has the first five proposals of a review, and how many more', () => {
    const rows = Array.from({ length: 7 }, (_, at) => makeProposal({ id: `p${at}`, proposedId: `H${at}` }));
    const [section] = asked({ interruptType: 'hazard_review', context: { rows } }).view.sections;
    expect(section?.items.map(({ title }) => title)).toEqual(['H0', 'H1', 'H2', 'H3', 'H4']);
    expect(section?.more).toBe(2);
    expect(asked({ interruptType: 'hazard_review', context: { rows: [] } }).view.sections).toEqual([]);
  });
});
