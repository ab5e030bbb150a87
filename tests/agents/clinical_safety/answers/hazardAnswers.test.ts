import { describe, expect, test } from '@jest/globals';
import { describeHazard, describeKnowledge } from '../../../../bot/agents/clinical_safety/answers/hazardAnswers.ts';
import { KNOWLEDGE } from '../../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeFinding, makeHazard, makeResult, makeTicket } from '../../../factories/analysisResult.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}`);

describe('a hazard in words', () => {
  const say = (more: Partial<ExistingHazard> = {}, parts: Parameters<typeof makeResult>[0] = {}) => {
    const hazard = makeHazard(more);
    return describeHazard(makeResult({ hazards: [hazard], ...parts }), hazard).split('\n');
  };

  test('contains everything that the log says about it', () => {
    expect(say()).toEqual([
      'H1: Wrong dose',
      'The wrong dose is shown.',
      'Clinical impact: Overdose',
      'Before controls: Major, Low, risk 3.',
      'After controls: Major, Very low, risk 2.',
      '1 cause entry, 1 control entry. Owner: Ada. Status: Open.',
      'No findings for this hazard.',
      'In “Log”, row 2.',
    ]);
  });

  test('says what is blank, and repeats nothing', () => {
    const nothing = { severity: null, likelihood: null, risk: null, expectedRisk: null };
    expect(
      say({
        description: '',
        clinicalImpact: '',
        causes: [],
        controls: [],
        owner: null,
        status: null,
        initial: nothing,
        residual: nothing,
        rows: { sheet: 'Log', first: 2, last: 4 },
      }),
    ).toEqual([
      'H1: Wrong dose',
      'No clinical impact is given.',
      'Before controls: not rated.',
      'After controls: not rated.',
      '0 cause entries, 0 control entries. Owner: blank. Status: blank.',
      'No findings for this hazard.',
      'In “Log”, rows 2 to 4.',
    ]);
    expect(say({ description: 'Wrong dose' })[1]).toBe('Clinical impact: Overdose');
  });

  test.each([
    ['Major', 'Low', 2, 3, 'Major, Low, risk 2. The matrix gives 3.'],
    ['Major', 'Low', null, 3, 'Major, Low, risk not recorded.'],
    ['Major', 'Low', 3, null, 'Major, Low, risk 3.'],
    ['Major', null, null, null, 'Major, no likelihood, risk not recorded.'],
    [null, 'Low', null, null, 'no severity, Low, risk not recorded.'],
    [null, null, 0, null, 'no severity, no likelihood, risk 0.'],
    [null, null, null, 3, 'not rated.'],
  ])('rates it as %s, %s, risk %s if the matrix gives %s', (severity, likelihood, risk, expectedRisk, text) => {
    expect(say({ initial: { severity, likelihood, risk, expectedRisk } })[3]).toBe(`Before controls: ${text}`);
  });

  test('lists its findings, and those of its rows that name no hazard', () => {
    const at = (cell: string, sheet = 'Log') => makeFinding({ title: cell, places: [{ sheet, cell }] });
    const findings = [
      makeFinding({ title: 'own', hazardId: 'H1', level: 'check' }),
      makeFinding({ title: 'of another', hazardId: 'H2', places: [{ sheet: 'Log', cell: 'A3' }] }),
      at('A2'),
      at('AB3'),
      at('C4:D9'),
      at('row 5'),
      at('A6'),
      at('B1'),
      at('A3', 'Other'),
      at('A'),
      makeFinding({
        title: 'second place',
        places: [
          { sheet: 'Log', cell: 'A9' },
          { sheet: 'Log', cell: 'A5' },
        ],
      }),
    ];
    const lines = say({ rows: { sheet: 'Log', first: 3, last: 5 } }, { findings });
    expect(lines.slice(lines.indexOf('Findings:'), -1)).toEqual([
      'Findings:',
      '• own (to check)',
      '• AB3 (to fix)',
      '• C4:D9 (to fix)',
      '• row 5 (to fix)',
      '• second place (to fix)',
    ]);
  });

  test('lists the tickets that it covers, and those near to it', () => {
    const covered = (count: number) =>
      numbers(count).map((at) => makeTicket({ key: `T-${at}`, hazardIds: ['H0', 'H1'] }));
    const near = (count: number) =>
      numbers(count).map((at) => makeTicket({ key: `N-${at}`, possibleHazardIds: ['H1'] }));
    const of = (tickets: ReturnType<typeof covered>) => say({}, { tickets }).slice(6, -2);
    expect(of([makeTicket({ hazardIds: ['H2'], possibleHazardIds: ['H2'] })])).toEqual([]);
    expect(of(covered(1))).toEqual(['Covers 1 ticket: T-1.']);
    expect(of(covered(8))).toEqual(['Covers 8 tickets: T-1, T-2, T-3, T-4, T-5, T-6, T-7, T-8.']);
    expect(of(covered(9))).toEqual(['Covers 9 tickets: T-1, T-2, T-3, T-4, T-5, T-6, T-7, T-8 ….']);
    expect(of([...near(1), ...covered(1)])).toEqual([
      '1 more ticket may relate to it by what they are about, not counted as covered: N-1.',
      'Covers 1 ticket: T-1.',
    ]);
    expect(of(near(8))).toEqual([
      '8 more tickets may relate to it by what they are about, not counted as covered: N-1, N-2, N-3, N-4, N-5, N-6, N-7, N-8.',
    ]);
    expect(of(near(9))[0]).toMatch(/N-8 …\.$/);
  });
});

describe('an entry of the knowledge base in words', () => {
  test('has its causes, impact, controls and rating', () => {
    const entry = KNOWLEDGE.find(({ controls }) => Object.values(controls).every(Boolean))!;
    const { id, title, category, description, causes, clinicalImpact, controls, suggested } = entry;
    expect(describeKnowledge(id)?.split('\n')).toEqual([
      `${id}: ${title} (${category})`,
      description,
      `Causes: ${causes.join('; ')}.`,
      `Clinical impact: ${clinicalImpact}`,
      'Controls to consider:',
      `• Design: ${controls.design}`,
      `• Test: ${controls.test}`,
      `• Training: ${controls.training}`,
      `• Business process: ${controls.business}`,
      `For discussion, before controls: ${suggested.severity}, ${suggested.likelihood}, risk ${suggested.risk}. Your Clinical Safety Officer sets the rating.`,
    ]);
  });

  test('does not exist for an unknown id', () => {
    expect(describeKnowledge('XXX-99')).toBeNull();
    expect(describeKnowledge('')).toBeNull();
  });
});
