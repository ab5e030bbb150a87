import { describe, expect, test } from '@jest/globals';
import { indexHazards, matchHazards } from '../../../../bot/agents/clinical_safety/tickets/hazardMatching.ts';
import { scoreTicket } from '../../../../bot/agents/clinical_safety/tickets/relevance.ts';
import known from '../../../../bot/agents/clinical_safety/tickets/spelledOut.json' with { type: 'json' };
import { spellOut } from '../../../../bot/agents/clinical_safety/tickets/spelledOut.ts';
import { termsOf } from '../../../../bot/agents/clinical_safety/tickets/words.ts';
import { makeTicket } from '../../../factories/tickets.ts';

describe('abbreviations and medicines', () => {
  test.each([
    ['Gave NovoRapid again', 'insulin'],
    ['wrong DOB on it, dob again', 'date of birth'],
    ['CLEXANE by 9st', 'enoxaparin heparin anticoagulant'],
    ['pt on rivaroxaban', 'patient. anticoagulant medicine'],
    // Only in capitals: the same letters are common words.
    ['NEWS was 7', 'early warning score observation'],
    ['the news was bad', ''],
    ['CT, PE', 'scan image. clot thrombosis'],
    ['ct, pe and us', ''],
    ['ptx, xpt', ''],
    ['', ''],
  ])('in “%s” stand for “%s”', (text, words) => expect(spellOut(text)).toBe(words));

  test('are read up to a limit, so that a long text takes no longer', () => {
    expect(spellOut(`${' '.repeat(3997)}DOB`)).toBe('date of birth');
    expect(spellOut(`${' '.repeat(3998)}DOB`)).toBe('');
  });

  test('stand for words that are indexed, and never for themselves alone', () => {
    for (const [short, words] of [...Object.entries(known.written), ...Object.entries(known.capitals)]) {
      expect({ short, words: termsOf(words) }).not.toMatchObject({ words: [] });
      expect(termsOf(words)).not.toEqual(termsOf(short));
    }
    expect(Object.keys(known.written)).toEqual(Object.keys(known.written).map((short) => short.toLowerCase()));
  });
});

describe('a ticket with them', () => {
  const place = { sheet: 'Log', cell: 'B2' };
  const hazard = (name: string, at: number) =>
    ({
      ...{ id: `H${at + 1}`, name, description: '', causes: [], clinicalImpact: '', controls: [] },
      ...{ rows: { sheet: 'Log', first: at + 2, last: at + 2 }, textPlaces: { name: place }, hasId: true },
    }) as unknown as Parameters<typeof indexHazards>[0][number];
  const hazards = [
    'Backup is wrong',
    'Stock of syringes is wrong',
    'The printer is wrong',
    'Postcode is wrong',
    'Insulin is wrong',
  ].map(hazard);

  test('is nearer to the hazard that has the words, which is not possible by them', () => {
    const scored = scoreTicket(makeTicket('T-1', 'Novorapid wrong again, patient harmed'));
    expect(scored.spelled).toEqual(['insulin']);
    const index = indexHazards(hazards);
    const nearest = (spelled: string[]) => matchHazards(index, { ...scored, spelled }, () => 1, 5);
    const [first] = nearest(scored.spelled);
    expect(hazards[first?.at ?? -1]?.name).toBe('Insulin is wrong');
    expect(hazards[nearest([])[0]?.at ?? -1]?.name).not.toBe('Insulin is wrong');
    const scoreOf = (spelled: string[]) => nearest(spelled).find(({ at }) => at === 4)?.score;
    expect(scoreOf(scored.spelled)).toBe(scoreOf([]));
    expect(nearest(scored.spelled).map(({ isPossible }) => isPossible)).toEqual(nearest([]).map(() => false));
  });

  test('is as relevant, and its kind as sure, as without them', () => {
    const ticket = makeTicket('T-1', 'Wrong dose of Novorapid was given', 'Gave it to the other pt.');
    const scored = scoreTicket(ticket);
    const bare = scoreTicket({
      ...ticket,
      summary: 'Wrong dose of Xyzzyzz was given',
      description: 'Gave it to the other zz.',
    });
    expect(scored.spelled).toEqual(['insulin', 'patient']);
    expect(bare.spelled).toEqual([]);
    const scores = (one: typeof scored) => new Map(one.ranking.top.map(({ entry, score }) => [entry.id, score]));
    const [own, other] = [scores(scored), scores(bare)];
    for (const [id, score] of own) if (other.has(id)) expect(score).toBeCloseTo(other.get(id) ?? 0, 5);
    expect(own.size).toBeGreaterThan(0);
  });
});
