import { describe, expect, test } from '@jest/globals';
import { outcomeUnder } from '../../../bot/engine/delivery/consent.ts';
import { viewInterrupt } from '../../../bot/engine/delivery/viewInterrupt.ts';
import { checkAnswer } from '../../../bot/engine/interrupts/checkAnswer.ts';
import { choicesIn } from '../../../bot/engine/questions/kinds/choices.ts';
import { kindOf, viewQuestion } from '../../../bot/engine/questions/kinds/index.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { answerOf } from '../../../models/contracts/questionView.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { makeChoicePoint, makeInterrupt } from '../../factories/interrupt.ts';

const POINTS = [
  makeChoicePoint('pipe', ['Steam', 'Water']),
  makeChoicePoint('valve', ['Gate', 'Ball', 'Needle']),
] as const;
const asking = (points: readonly unknown[] = POINTS, more: Partial<InterruptRow> = {}) =>
  makeInterrupt({ _id: 7, interruptType: 'choices', context: { points }, ...more });
const asked = (row = asking()) => viewInterrupt(row, null, 'UTC');
const press = (fields: Record<string, unknown>, row = asking()) =>
  checkAnswer(row, answerOf(asked(row).view, { action: 'choose', fields }) ?? {});

function refusedField(answer: () => unknown) {
  try {
    answer();
  } catch (error) {
    return error instanceof AppError ? error.fields : error;
  }
  return 'accepted';
}

describe('a question with several choices', () => {
  test('asks for each by its options and “I don’t know”, and records which option of which point', () => {
    const { view } = asked();
    expect(view.fields.map(({ label, options }) => [label, options?.map((one) => one.label)])).toEqual([
      ['Which pipe is it?', ['Steam', 'Water', 'I don’t know']],
      ['Which valve is it?', ['Gate', 'Ball', 'Needle', 'I don’t know']],
    ]);
    const { userResponse, outcome } = press({ choice1: 'option2', choice2: 'option3' });
    expect(outcome).toBe('answered');
    expect(choicesIn(userResponse)).toEqual([
      { point: 'pipe', choice: 'Water' },
      { point: 'valve', choice: 'Needle' },
    ]);
  });

  test('takes “I don’t know” for one point, and in words for all', () => {
    expect(choicesIn(press({ choice1: 'unknown', choice2: 'option1' }).userResponse)).toEqual([
      { point: 'pipe', choice: null },
      { point: 'valve', choice: 'Gate' },
    ]);
    for (const words of ['I don’t know', "don't know.", 'I do not know that', 'Not sure']) {
      const answer = kindOf('choices').readWords?.(asking(), words);
      expect(choicesIn(checkAnswer(asking(), answer ?? {}).userResponse).map(({ choice }) => choice)).toEqual([
        null,
        null,
      ]);
    }
    expect(kindOf('choices').readWords?.(asking(), 'I know')).toBeNull();
  });

  test('refuses what leaves a point open, or is none of its options', () => {
    const missing = 'Which valve is it? Choose one of the options, or “I don’t know”.';
    expect(refusedField(() => press({ choice1: 'option1' }))).toEqual({ choice2: missing });
    expect(refusedField(() => press({ choice1: 'option1', choice2: 'option4' }))).toEqual({ choice2: missing });
    expect(refusedField(() => press({ choice1: 'option3', choice2: 'option3' }))).toMatchObject({
      choice1: expect.any(String),
    });
    expect(refusedField(() => checkAnswer(asking(), { userResponse: 'Gate' }))).toMatchObject({
      choice1: expect.any(String),
    });
  });

  test('with one point is answered by the name of an option; with two, a name alone says too little', () => {
    const [, valve] = POINTS;
    const options = valve.options.map(({ id, label }) => ({ id, label, action: 'choose' }));
    const one = asking([valve], { options });
    const answer = kindOf('choices').readWords?.(one, 'ball');
    expect(choicesIn(checkAnswer(one, answer ?? {}).userResponse)).toEqual([{ point: 'valve', choice: 'Ball' }]);
    expect(kindOf('choices').readWords?.(one, 'globe')).toBeNull();
    expect(refusedField(() => checkAnswer(asking(), { userResponse: { named: 'Ball' } }))).toMatchObject({
      choice1: expect.any(String),
    });
  });

  test('shows every option on its examples, word for word and with their places', () => {
    const { sections } = asked().view;
    expect(sections.map(({ heading, text }) => heading ?? text)).toEqual([
      'Which pipe is it? Two fit, because of the pipe.',
      'Steam',
      'Water',
      'Which valve is it? Two fit, because of the valve.',
      'Gate',
      'Ball',
      'Needle',
    ]);
    expect(sections[1]?.items).toEqual([
      { title: 'Line 3', text: 'gives Steam', quote: { text: 'pipe 3', source: 'Plant A3' }, colours: [] },
    ]);
  });

  test.each(['redacted', 'reference-only'] as const)('sends no content under %s, and can be answered', (mode) => {
    const question = asked();
    const view = viewQuestion(question, mode);
    expect(JSON.stringify(view)).not.toMatch(/Steam|Gate|Plant A3|pipe 3|because of the pipe/);
    expect(view.fields.map(({ options }) => options?.map(({ label }) => label))).toEqual([
      ['Column 1', 'Column 2', 'I don’t know'],
      ['Column 1', 'Column 2', 'Column 3', 'I don’t know'],
    ]);
    const fields = { choice1: 'option1', choice2: 'unknown' };
    expect(answerOf(view, { action: 'choose', fields })).toEqual(answerOf(question.view, { action: 'choose', fields }));
  });

  test('says what was chosen, within what the consent mode allows', () => {
    const row = asking();
    const { userResponse } = press({ choice1: 'option2', choice2: 'unknown' });
    const at = new Date('2026-05-03T09:00:00Z');
    const by = { userId: 1, name: 'Ada' };
    const closed = asked({
      ...row,
      status: 'resolved',
      userResponse,
      resolution: { outcome: 'answered', by, via: 'slack', at, reason: null },
    });
    expect(outcomeUnder('full', closed)).toMatch(/: Water; I don’t know$/);
    expect(outcomeUnder('reference-only', closed)).toMatch(/: Column 2; I don’t know$/);
  });
});
