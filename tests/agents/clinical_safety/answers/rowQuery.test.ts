import { describe, expect, test } from '@jest/globals';
import { answerRowQuery } from '../../../../bot/agents/clinical_safety/answers/rowQuery.ts';
import type { CanonicalColumn, ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeHazard, makeResult } from '../../../factories/analysisResult.ts';

const column = (canonical: CanonicalColumn) => ({ canonical, header: canonical, column: 'A' });
const resultOf = (hazards: Partial<ExistingHazard>[], columns: CanonicalColumn[] = []) =>
  makeResult({
    hazards: hazards.map((more, at) => makeHazard({ id: `H${at + 1}`, name: `Name ${at + 1}`, ...more })),
    log: { columns: columns.map(column) },
  });
/** The listed ids, or why there are none; null if the question is not understood. */
function idsOf(result: ReturnType<typeof resultOf>, question: string) {
  const answer = answerRowQuery(result, question);
  if (!answer) return null;
  if (answer.refused) return 'refused';
  return [...answer.text.matchAll(/^• (H\d+): /gm)].map(([, id]) => id).join();
}
const rated = (initial: number | null, residual: number | null) => ({
  initial: { severity: null, likelihood: null, risk: initial, expectedRisk: null },
  residual: { severity: null, likelihood: null, risk: residual, expectedRisk: null },
});

describe('questions about risks', () => {
  // H1 to H4 have the residual risks 1 to 4, and initial ones one higher.
  const risks = resultOf([1, 2, 3, 4].map((risk) => rated(risk + 1, risk)));
  test.each<(string | null)[]>([
    ['residual risk of 3', 'H3'],
    ['residual risk 3', 'H3'],
    ['residual risk = 3', 'H3'],
    ['residual risk is 3', 'H3'],
    ['residual risk of exactly 3', 'H3'],
    ['residual risk equal to 3', 'H3'],
    ['recorded residual risk of 3', 'H3'],
    ['residual risk score of 3', 'H3'],
    ['residual risk rating 3', 'H3'],
    ['residual risk level above 3', 'H4'],
    ['residual risks above 3', 'H4'],
    ...['at least', '>=', '≥'].map((words) => [`residual risk ${words} 3`, 'H3,H4']),
    ...['at most', '<=', '≤', 'up to'].map((words) => [`residual risk ${words} 3`, 'H1,H2,H3']),
    ...['above', 'over', 'more than', 'greater than', 'higher than', 'exceeding', '>'].map((words) => [
      `residual risk ${words} 3`,
      'H4',
    ]),
    ...['below', 'under', 'less than', 'lower than', '<'].map((words) => [`residual risk ${words} 3`, 'H1,H2']),
    ...['above', 'more', 'higher', 'over', 'greater', 'up'].map((word) => [`residual risk 3 or ${word}`, 'H3,H4']),
    ...['below', 'less', 'lower', 'under', 'fewer'].map((word) => [`residual risk of 3 or ${word}`, 'H1,H2,H3']),
    ['residual risk above 3 or above', null],
    ['residual risk of 3 or 4', 'H3,H4'],
    ['residual risk above 123', ''],
    ['residual risk above', null],
    ...['initial', 'inherent', 'unmitigated'].map((phase) => [`${phase} risk of 3`, 'H2']),
    ...['residual', 'final', 'mitigated'].map((phase) => [`${phase} risk of 3`, 'H3']),
    ['residual risk of 3 after controls', 'H3'],
    ['initial risk of 3 before controls', 'H2'],
    ['residual risk of 3 before controls', null],
    ['initial risk of 3 after controls', null],
    ['risk of 3', null],
    ['which hazards have a risk of 3 before controls', 'H2'],
    ['which hazards have a risk of 3 after controls', 'H3'],
    ['which hazards have a recorded residual risk of 3', 'H3'],
    ['which hazards do not have a residual risk of 3', 'H1,H2,H4'],
    ['which hazards have no residual risk above 3', 'H1,H2,H3'],
    ['hazards without a residual risk above 3', 'H1,H2,H3'],
    ['hazards lacking a residual risk above 3', 'H1,H2,H3'],
    ['hazards missing a residual risk of 3', 'H1,H2,H4'],
  ])('%s: %s', (question, ids) => {
    expect(idsOf(risks, question ?? '')).toBe(ids);
  });

  test('without a phase are answered for both', () => {
    expect(answerRowQuery(risks, 'which hazards have a risk of 3')?.text).toBe(
      '1 hazard of 4 has a recorded initial risk of 3:\n• H2: Name 2\n1 hazard of 4 has a recorded residual risk of 3:\n• H3: Name 3',
    );
    expect(answerRowQuery(risks, 'how many hazards have no risk above 3')?.text).toBe(
      '2 hazards of 4 have no recorded initial risk above 3:\n• H1: Name 1\n• H2: Name 2\n3 hazards of 4 have no recorded residual risk above 3:\n• H1: Name 1\n• H2: Name 2\n• H3: Name 3',
    );
  });

  test('count unrecorded risks beside the figure', () => {
    const some = resultOf([rated(3, 3), rated(null, null), rated(0, null)]);
    expect(answerRowQuery(some, 'residual risk of 3')?.text).toBe(
      '1 hazard of 3 has a recorded residual risk of 3:\n• H1: Name 1\n2 more hazards have no recorded residual risk, and are not counted here.',
    );
    expect(answerRowQuery(some, 'initial risk above 4')?.text).toBe(
      '0 hazards of 3 have a recorded initial risk above 4.\n1 more hazard has no recorded initial risk, and is not counted here.',
    );
    expect(idsOf(some, 'initial risk of 0')).toBe('H3');
    expect(idsOf(some, 'initial risk below 4')).toBe('H1,H3');
  });

  test('with a risk that no hazard has are refused', () => {
    const of = (question: string, ...hazards: Partial<ExistingHazard>[]) =>
      answerRowQuery(resultOf(hazards), question)?.text.split('\n')[0];
    const refusal = (phase: string) =>
      `I can’t answer that from this log: none of its hazards has a recorded ${phase} risk.`;
    expect(of('residual risk of 3', rated(3, null))).toBe(refusal('residual'));
    expect(of('initial risk of 3', rated(null, 3))).toBe(refusal('initial'));
    expect(of('which hazards have a risk of 3', rated(3, null))).toBe(refusal('residual'));
  });
});

describe('questions about statuses and owners', () => {
  const log = resultOf([
    { status: 'Open', owner: 'Dr Ahmed' },
    { status: ' open ', owner: 'Pharmacy team' },
    { status: 'Closed', owner: 'Dr Ahmed' },
    { status: 'In review', owner: null },
    { status: null, owner: 'The Pharmacy' },
  ]);
  test.each<(string | null)[]>([
    ['which hazards are open', 'H1,H2'],
    ['open hazards', 'H1,H2'],
    ['which open hazards', 'H1,H2'],
    ['still open hazards', 'H1,H2'],
    ['open hazards now purple', 'H1,H2'],
    ['purple hazards', null],
    ['how many hazards are there open', 'H1,H2'],
    ['hazards that are still open', 'H1,H2'],
    ['which hazards have been closed', 'H3'],
    ['which hazards are not open', 'H3,H4'],
    ["which hazards aren't open", 'H3,H4'],
    ['hazards that do not have status open', 'H3,H4'],
    ['which hazards are without open', null],
    ['which hazards lack open', null],
    ...['', 'status ', 'status of ', 'status is ', 'in status ', 'marked ', 'marked as ', 'in '].map((words) => [
      `which hazards are ${words}closed`,
      'H3',
    ]),
    ['which hazards have closed status', 'H3'],
    ['which hazards are in review', 'H4'],
    ['which hazards are transferred', ''],
    ['which hazards are not transferred', 'refused'],
    ...['owned by ', 'owner ', 'owner of ', 'owner is ', 'assigned to ', 'belong to ', 'belonging to '].map((words) => [
      `which hazards are ${words}dr ahmed`,
      'H1,H3',
    ]),
    ['which hazards are dr ahmed owner', 'H1,H3'],
    ['which hazards are dr ahmed', 'H1,H3'],
    ['dr ahmed’s hazards', 'H1,H3'],
    ['which hazards does dr ahmed own', 'H1,H3'],
    ['which hazards are pharmacy', null],
    ['which hazards are not owned by dr ahmed', 'H2,H5'],
    // "Pharmacy" is the owner of one hazard and a word in another's.
    ['which hazards are owned by pharmacy', 'refused'],
    ['which hazards are owned by pharmacy team', 'H2'],
    ['which hazards are owned by nobody', 'H4'],
    ['which hazards are owned by open', null],
  ])('%s: %s', (question, ids) => {
    expect(idsOf(log, question ?? '')).toBe(ids);
  });

  test('use the log’s own words, and count the blanks', () => {
    expect(answerRowQuery(log, 'which hazards are open')?.text).toBe(
      '2 hazards of 5 have the status “Open”:\n• H1: Name 1\n• H2: Name 2\n1 more hazard has no status, and is not counted here.',
    );
    expect(answerRowQuery(log, 'which hazards are not closed')?.text).toMatch(
      /^3 hazards of 5 have a status other than “Closed”:/,
    );
    expect(answerRowQuery(log, 'which hazards are not owned by dr ahmed')?.text).toMatch(
      /^2 hazards of 5 have an owner other than “Dr Ahmed”:\n.*\n.*\n1 more hazard has no owner, and is not counted here\.$/,
    );
    expect(answerRowQuery(log, 'which hazards are transferred')?.text).toBe(
      '0 hazards of 5 have the status “Transferred”.\n1 more hazard has no status, and is not counted here.\nNo row has exactly this value: its values for status are “Open” (2), “Closed” (1), “In review” (1).',
    );
  });

  test.each([
    [['Open', 'Open – urgent'], 'which hazards are open', 'refused'],
    [['Open', 'Reopened'], 'which hazards are open', 'refused'],
    [['Open', 'Not open'], 'which hazards are open', 'refused'],
    [['Closed', 'Re-opened'], 'which hazards are closed', 'refused'],
    [['Closed', 'Un-closed'], 'which hazards are closed', 'refused'],
    [['Closed', 'Non closed'], 'which hazards are closed', 'refused'],
    [['Closed', 'Open'], 'which hazards are closed', 'H1'],
    [['Done', 'Not open'], 'which hazards are done', 'H1'],
    [['Done', 'Done twice'], 'which hazards are done', 'refused'],
    [['Done', 'Undone'], 'which hazards are done', 'H1'],
    [['Open – urgent'], 'which hazards are open', 'refused'],
    [['Done'], 'which hazards are open', ''],
    [['Done'], 'which hazards are not open', 'refused'],
    [[null], 'which hazards are open', 'refused'],
    [['the'], 'which hazards', null],
  ] as const)('on %j: %s is answered by %s', (statuses, question, ids) => {
    expect(idsOf(resultOf(statuses.map((status) => ({ status }))), question)).toBe(ids);
  });

  test('list unclear values, eight at most', () => {
    const many = (count: number) =>
      answerRowQuery(
        resultOf(Array.from({ length: count }, (_, at) => ({ status: `Open ${at + 1}` }))),
        'which hazards are open',
      )?.text.split('\n')[0];
    const eight = Array.from({ length: 8 }, (_, at) => `“Open ${at + 1}” (1)`).join(', ');
    const says = 'I can’t answer that from this log: its values for status are';
    expect(many(8)).toBe(`${says} ${eight}. Ask with one of these exactly.`);
    expect(many(9)).toBe(`${says} ${eight} …. Ask with one of these exactly.`);
  });

  test('with a value that no hazard has are refused', () => {
    expect(answerRowQuery(resultOf([{ status: null }]), 'which hazards are open')?.text).toMatch(
      /: none of its hazards has a status\.\n/,
    );
  });
});

describe('questions about what hazards have or lack', () => {
  const evidence = { ...makeHazard().controls[0]!, evidence: 'T-1' };
  const has: Partial<ExistingHazard> = { controls: [...makeHazard().controls, evidence], ticketKeys: ['EPS-1'] };
  const lacks = { controls: [], ticketKeys: [], owner: null, causes: [], clinicalImpact: '', status: null };
  const COLUMNS: CanonicalColumn[] = ['evidence', 'owner', 'cause', 'clinical_impact', 'control_text', 'status'];
  const log = resultOf([has, lacks], COLUMNS);

  test.each([
    ['evidence', 'evidence for at least one control', 'no evidence for any control'],
    ['evidence for controls', 'evidence for at least one control', 'no evidence for any control'],
    ['evidence for any control', 'evidence for at least one control', 'no evidence for any control'],
    ['evidence for their controls', 'evidence for at least one control', 'no evidence for any control'],
    ['an owner', 'an owner', 'no owner'],
    ['owners', 'an owner', 'no owner'],
    ['cause', 'a cause', 'no cause'],
    ['causes', 'a cause', 'no cause'],
    ['impact', 'a clinical impact', 'no clinical impact'],
    ['clinical impact', 'a clinical impact', 'no clinical impact'],
    ['potential clinical impact', 'a clinical impact', 'no clinical impact'],
    ['tickets', 'a ticket named in the row', 'no ticket named in the row'],
    ['ticket named', 'a ticket named in the row', 'no ticket named in the row'],
    ['controls', 'a control', 'no control'],
    ['mitigation', 'a control', 'no control'],
    ['recorded controls', 'a control', 'no control'],
    ['status', 'a status', 'no status'],
  ])('%s', (field, with_, without) => {
    const figure = (says: string, id: number) => ({
      text: `1 hazard of 2 has ${says}:\n• H${id}: Name ${id}`,
      refused: false,
    });
    expect(answerRowQuery(log, `which hazards have ${field}`)).toMatchObject(figure(with_, 1));
    for (const word of ['no', 'without', 'do not have', 'lack', 'missing', 'blank', 'empty'])
      expect(answerRowQuery(log, `which hazards ${word} ${field}`)).toMatchObject(figure(without, 2));
    for (const word of ['missing', 'blank', 'empty', 'is missing', 'are blank'])
      expect(answerRowQuery(log, `which hazards have ${field} ${word}`)).toMatchObject(figure(without, 2));
    expect(answerRowQuery(log, `which hazards have no ${field} missing`)).toBeNull();
    expect(answerRowQuery(log, `which hazards have ${field} purple`)).toBeNull();
  });

  test.each<[string, CanonicalColumn[], boolean]>([
    ['evidence', ['evidence'], true],
    ['evidence', ['owner'], false],
    ['owner', ['owner'], true],
    ['owner', ['control_owner'], false],
    ['causes', ['cause'], true],
    ['impact', ['clinical_impact'], true],
    ['status', ['status'], true],
    ['status', ['action_status'], false],
    ...(
      [
        'existing_controls',
        'control_text',
        'control_design',
        'control_test',
        'control_training',
        'control_business',
        'action',
      ] as const
    ).map((name): [string, CanonicalColumn[], boolean] => ['controls', [name], true]),
    ['controls', ['control_id'], false],
    ['controls', [], false],
    ['tickets', [], true],
  ])('on %s: the log has an answer with the columns %j: %s', (field, columns, isSaid) => {
    const text = answerRowQuery(resultOf([lacks], columns), `which hazards have no ${field}`)?.text;
    if (isSaid) expect(text).toMatch(/^1 hazard of 1 has no /);
    else expect(text).toMatch(new RegExp(`: I found no column for ${field} in “Log”\\.\n`));
  });

  test('count where hazards have it, whatever the columns are called', () => {
    expect(idsOf(resultOf([has, lacks]), 'which hazards have no controls')).toBe('H2');
  });

  test('treat an owner that names nobody as none, and say which words count so', () => {
    const log = resultOf(
      ['TBC', 'tbc', 'TBC ', 'Ada', null].map((owner) => ({ owner })),
      ['owner'],
    );
    expect(answerRowQuery(log, 'which hazards have an owner')?.text).toBe(
      '1 hazard of 5 has an owner:\n• H4: Name 4\nI read “TBC” (3) as no owner.',
    );
    const many = (count: number) =>
      answerRowQuery(
        resultOf(
          Array.from({ length: count }, (_, at) => ({ owner: '-'.repeat(at + 1) })),
          ['owner'],
        ),
        'which hazards have an owner',
      )?.text.split('\n')[1];
    expect(many(8)).toMatch(/“--------” \(1\) as no owner/);
    expect(many(9)).toMatch(/“--------” \(1\) … as no owner/);
    expect(answerRowQuery(log, 'which hazards have causes')?.text).not.toContain('nobody');
  });
});

test.each(['what is the weather', 'risk above 2', 'hazardous open', '', 'controls'])(
  '“%s” is not understood',
  (question) => {
    expect(answerRowQuery(resultOf([{}]), question)).toBeNull();
  },
);
