import { describe, expect, test } from '@jest/globals';
import { matchReview } from '../../../../bot/agents/clinical_safety/questions/matchReview.ts';
import { viewQuestion } from '../../../../bot/engine/questions/kinds/index.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { InterruptRow } from '../../../../models/interrupt.ts';
import { makePossible } from '../../../factories/analysisResult.ts';
import { makeInterrupt } from '../../../factories/interrupt.ts';
import { MATCH_ROWS, MATCHES_DECIDED, makeMatchRow } from '../../../factories/matches.ts';

const asked = (rows: unknown = MATCH_ROWS) => makeInterrupt({ interruptType: 'match_review', context: { rows } });
const rowOf = (mode: ConsentMode = 'full', row = makeMatchRow()) => matchReview.rows?.(asked([row]), mode).rows[0];
const check = (answer: object, question: InterruptRow = asked()) => matchReview.check(question, answer as never);

describe('a ticket with possible matches', () => {
  test('shows the words of both sides with their cell, and every hazard to choose from once', () => {
    const row = makeMatchRow({
      possible: [makePossible(), makePossible({ hazardDigest: 'a twin' }), makePossible({ hazardId: 'H3', score: 0 })],
    });
    expect(rowOf('full', row)).toMatchObject({
      id: 'EX-1',
      name: 'EX-1',
      title: 'Dose in the wrong unit',
      values: { ticket: 'Dose in the wrong unit', hazard: 'H1 Wrong dose' },
      quotes: [
        { text: 'wrong dose', source: 'EX-1' },
        { text: 'The dose is lost', source: 'H1, Log!C5' },
        { text: 'The dose is lost', source: 'H1, Log!C5' },
        { text: 'The dose is lost', source: 'H3, Log!C5' },
      ],
      option: 'H1',
      choiceIsOptional: true,
      options: [
        { id: 'H1', title: 'Wrong dose', note: 'closest' },
        { id: 'H3', title: 'Wrong dose', note: null },
        { id: 'H2', title: 'Late result', note: null, values: { hazard: 'H2 Late result' } },
      ],
    });
  });

  test.each<ConsentMode>(['redacted', 'reference-only'])('under %s has ids alone', (mode) => {
    const row = rowOf(mode);
    expect(row).toMatchObject({ name: 'EX-1', title: null, values: null, quotes: [], option: 'H1' });
    expect(row?.options.map(({ id, title, values }) => [id, title, values])).toEqual([
      ['H1', null, null],
      ['H2', null, null],
    ]);
    expect(JSON.stringify(row)).not.toMatch(/dose|result/i);
  });

  test('needs the Clinical Safety Officer', () => expect(matchReview.requires).toBe('clinical-safety-officer'));
});

describe('the question', () => {
  test('offers "none" for all tickets, and "this hazard" for each alone', () => {
    const { actions } = viewQuestion(asked() as never, 'full');
    expect(actions.map(({ label }) => label)).toEqual(['Review row by row', 'No hazard for all']);
    expect(() => check({ approved: true })).toThrow();
    expect(check({ approved: false })).toMatchObject({ outcome: 'rejected' });
    expect(matchReview.readWords).toBeUndefined();
  });

  test('takes this hazard, another one, or none for each ticket', () => {
    expect(check({ userResponse: { rows: MATCHES_DECIDED } })).toEqual({
      userResponse: { rows: MATCHES_DECIDED },
      outcome: 'modified',
    });
  });

  test.each([
    ['another hazard without a choice', { outcome: 'edited' }, 'EX-1: choose one of the others.'],
    ['another hazard that is this one', { outcome: 'edited', choice: 'H1' }, 'EX-1: choose one of the others.'],
    [
      'this hazard beside the choice of another',
      { outcome: 'accepted', choice: 'H12' },
      'EX-1: another one is chosen. Take it, or clear the choice.',
    ],
    [
      'a hazard that was not offered',
      { outcome: 'edited', choice: 'H99' },
      'EX-1: the chosen candidate was not proposed.',
    ],
  ])('refuses %s', (_what, decided, text) => {
    const rows = [{ id: 'EX-1', ...decided }, ...MATCHES_DECIDED.slice(1)];
    let fields: unknown;
    try {
      check({ userResponse: { rows } });
    } catch (error) {
      fields = (error as { fields?: unknown }).fields;
    }
    expect(fields).toEqual({ userResponse: text });
  });
});
