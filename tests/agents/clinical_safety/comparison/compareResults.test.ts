import { describe, expect, test } from '@jest/globals';
import { compareResults } from '../../../../bot/agents/clinical_safety/comparison/compareResults.ts';
import {
  countChanges,
  describeChanges,
  describeComparison,
} from '../../../../bot/agents/clinical_safety/comparison/describeComparison.ts';
import { isSameLog } from '../../../../bot/agents/clinical_safety/comparison/findEarlier.ts';
import type { AnalysisResult, ExistingHazard, Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeFinding, makeHazard, makeResult } from '../../../factories/analysisResult.ts';

const at = (_id: number, result: AnalysisResult) => ({
  row: { _id, createdAt: new Date(Date.UTC(2026, 4, _id)), logFileName: `log ${_id}.xlsx` },
  result,
});
const compare = (before: AnalysisResult, after: AnalysisResult) => compareResults(at(1, before), at(2, after));

/** A hazard in one row of the log. */
const hazard = (id: string, name: string, row: number, more: Partial<ExistingHazard> = {}) =>
  makeHazard({ id, name, rows: { sheet: 'Log', first: row, last: row }, ...more });
const rated = (severity: string | null, likelihood: string | null, risk: number | null) => ({
  severity,
  likelihood,
  risk,
  expectedRisk: risk,
});
/** A finding in cells of the log. */
const finding = (rule: string, hazardId: string | null, cells: string[], more: Partial<Finding> = {}) =>
  makeFinding({
    id: [rule, hazardId, ...cells].join(':'),
    rule,
    hazardId,
    places: cells.map((cell) => ({ sheet: 'Log', cell })),
    ...more,
  });

const WRONG_DOSE = hazard('H1', 'Wrong dose', 2);
const WRONG_PATIENT = hazard('H2', 'Wrong patient', 3);
const LOST = hazard('H3', 'Prescription lost', 4);

describe('the hazards of two versions', () => {
  const hazardsOf = (before: ExistingHazard[], after: ExistingHazard[]) =>
    compare(makeResult({ hazards: before }), makeResult({ hazards: after })).then(({ hazards }) => hazards);
  const NOTHING = { added: [], removed: [], rerated: [], renumbered: [], renamed: [] };

  test('are the same wherever their rows are', async () => {
    expect(
      await hazardsOf([WRONG_DOSE, WRONG_PATIENT], [hazard('H2', 'Wrong patient', 2), hazard('h 1', 'Wrong dose', 9)]),
    ).toEqual(NOTHING);
  });

  test('are added and removed', async () => {
    expect(await hazardsOf([WRONG_DOSE, WRONG_PATIENT], [WRONG_PATIENT, LOST])).toEqual({
      ...NOTHING,
      added: [{ id: 'H3', name: 'Prescription lost' }],
      removed: [{ id: 'H1', name: 'Wrong dose' }],
    });
  });

  test('keep who they are when ids move up, and when a name is changed', async () => {
    const before = [WRONG_DOSE, WRONG_PATIENT, LOST];
    const after = [hazard('H1', 'Wrong patient', 2), hazard('H2', 'Prescription lost', 3)];
    expect(await hazardsOf(before, after)).toEqual({
      ...NOTHING,
      removed: [{ id: 'H1', name: 'Wrong dose' }],
      renumbered: [
        { id: 'H1', name: 'Wrong patient', idBefore: 'H2' },
        { id: 'H2', name: 'Prescription lost', idBefore: 'H3' },
      ],
    });
    expect(await hazardsOf([WRONG_DOSE], [hazard('H1', 'Wrong dose shown', 2)])).toEqual({
      ...NOTHING,
      renamed: [{ id: 'H1', name: 'Wrong dose shown', nameBefore: 'Wrong dose' }],
    });
  });

  test('without ids of their own are known by their names alone', async () => {
    expect(await hazardsOf([hazard('row 2', 'Wrong dose', 2)], [hazard('row 3', 'Wrong dose', 3)])).toEqual(NOTHING);
    expect(await hazardsOf([hazard('row 2', 'Wrong dose', 2)], [hazard('row 2', 'Other', 2)])).toMatchObject({
      added: [{ name: 'Other' }],
      removed: [{ name: 'Wrong dose' }],
    });
  });

  test('of one name twice are not paired by that name where one version has it once', async () => {
    const twice = [hazard('A1', 'Wrong dose', 2), hazard('B1', 'Wrong dose', 3)];
    expect(await hazardsOf(twice, [hazard('C1', 'Wrong dose', 2)])).toMatchObject({
      added: [{ id: 'C1' }],
      removed: [{ id: 'A1' }, { id: 'B1' }],
    });
  });

  test.each([
    ['another word', rated('Major', 'High', 3), rated('Major', 'Low', 3), 1],
    ['another risk', rated('Major', 'Low', 3), rated('Major', 'Low', 2), 1],
    ['a first rating', rated(null, null, null), rated('Major', 'Low', 3), 1],
    ['the same in other letters', rated('Major', 'Low', 3), rated('4 - MAJOR', 'low', 3), 0],
    ['none, as before', rated(null, null, null), rated(null, null, null), 0],
  ])('are re-rated by %s, in each stage', async (_what, before, after, count) => {
    for (const stage of ['initial', 'residual'] as const) {
      const { rerated } = await hazardsOf(
        [hazard('H1', 'Wrong dose', 2, { [stage]: before })],
        [hazard('H1', 'Wrong dose', 5, { [stage]: after })],
      );
      expect(rerated).toEqual(count === 0 ? [] : [{ id: 'H1', name: 'Wrong dose', stage, before, after }]);
    }
  });
});

describe('the findings of two versions', () => {
  type Version = { hazards?: ExistingHazard[]; findings: Finding[] };
  const HAZARDS = [WRONG_DOSE, WRONG_PATIENT, LOST];
  const findingsOf = async (before: Version, after: Version) => {
    const result = ({ hazards = HAZARDS, findings }: Version) => makeResult({ hazards, findings });
    const found = (await compare(result(before), result(after))).findings;
    return Object.fromEntries(Object.entries(found).map(([kind, list]) => [kind, list.map(({ id }) => id)]));
  };
  const NONE = { fixed: [], gone: [], added: [], open: [], accepted: [] };

  test('stay open when rows move, and are fixed or new by rule and hazard', async () => {
    const moved = [
      hazard('H9', 'New one', 2),
      ...HAZARDS.map((it, at) => ({ ...it, rows: { ...it.rows, first: at + 3, last: at + 3 } })),
    ];
    expect(
      await findingsOf(
        { findings: [finding('no-owner', 'H1', ['C2']), finding('no-cause', 'H2', ['D3'])] },
        { hazards: moved, findings: [finding('no-owner', 'H1', ['C3']), finding('no-owner', 'H2', ['C4'])] },
      ),
    ).toEqual({ ...NONE, fixed: ['no-cause:H2:D3'], added: ['no-owner:H2:C4'], open: ['no-owner:H1:C3'] });
  });

  test('of a removed hazard are gone, not fixed', async () => {
    expect(
      await findingsOf(
        { findings: [finding('no-owner', 'H1', ['C2']), finding('no-owner', null, ['C2', 'C3'])] },
        { hazards: [WRONG_PATIENT, LOST], findings: [] },
      ),
    ).toEqual({ ...NONE, fixed: ['no-owner::C2:C3'], gone: ['no-owner:H1:C2'] });
  });

  test('that were one for several hazards are still open for those that are left', async () => {
    const group = finding('no-owner', null, ['C2:C4']);
    const [one, two] = [finding('no-owner', 'H1', ['C2']), finding('no-owner', 'H3', ['C4'])];
    expect(await findingsOf({ findings: [group] }, { findings: [one] })).toEqual({ ...NONE, open: ['no-owner:H1:C2'] });
    expect(await findingsOf({ findings: [one] }, { findings: [group] })).toEqual({
      ...NONE,
      open: ['no-owner::C2:C4'],
    });
    expect(await findingsOf({ findings: [finding('no-owner', null, ['C2', 'C3'])] }, { findings: [two] })).toEqual({
      ...NONE,
      fixed: ['no-owner::C2:C3'],
      added: ['no-owner:H3:C4'],
    });
  });

  test('of one rule and hazard are counted one by one, the most alike paired', async () => {
    const two = [
      finding('no-evidence', 'H1', ['F2'], { found: 'Alert' }),
      finding('no-evidence', 'H1', ['G2'], { found: 'Training' }),
    ];
    const left = finding('no-evidence', 'H1', ['G7'], { found: 'Training' });
    expect(await findingsOf({ findings: two }, { findings: [left] })).toEqual({
      ...NONE,
      fixed: ['no-evidence:H1:F2'],
      open: ['no-evidence:H1:G7'],
    });
    expect(await findingsOf({ findings: [left] }, { findings: two })).toEqual({
      ...NONE,
      added: ['no-evidence:H1:F2'],
      open: ['no-evidence:H1:G2'],
    });
    // The column says more than the words in it, which an edit may have changed.
    const reworded = finding('no-evidence', 'H1', ['G7'], { found: 'Alert' });
    expect(await findingsOf({ findings: two }, { findings: [reworded] })).toEqual({
      ...NONE,
      fixed: ['no-evidence:H1:F2'],
      open: ['no-evidence:H1:G7'],
    });
  });

  test.each([
    ['in no hazard’s rows', 'C2', []],
    ['in its first row', 'C3', ['H1']],
    ['in its last row, which another hazard shares', 'C9', ['H1', 'H2']],
    ['below its rows', 'C10', ['H2']],
    ['between the hazards', 'C15', []],
    ['in a range', 'C10:C20', ['H2', 'H3']],
  ])('of several hazards are about those in whose rows their cells are: %s', async (_where, cell, about) => {
    const rows = (first: number, last: number) => ({ sheet: 'Log', first, last });
    const hazards = [
      hazard('H3', 'Prescription lost', 20, { rows: rows(20, 22) }),
      hazard('H1', 'Wrong dose', 3, { rows: rows(3, 9) }),
      hazard('H2', 'Wrong patient', 9, { rows: rows(9, 11) }),
      hazard('H4', 'On another sheet', 2, { rows: { sheet: 'Archive', first: 1, last: 99 } }),
    ];
    const group = finding('no-owner', null, [cell]);
    for (const { id } of hazards) {
      const own = finding('no-owner', id, [`D${id}`]);
      const { open } = await findingsOf({ hazards, findings: [group] }, { hazards, findings: [own] });
      expect([id, open]).toEqual([id, about.includes(id) ? [own.id] : []]);
    }
  });

  test('of the whole log are known by their rule, and those to note are not compared', async () => {
    const log = finding('versions-differ', null, ['A99']);
    const note = finding('a-note', 'H1', ['A2'], { level: 'note' });
    expect(await findingsOf({ findings: [log, note] }, { findings: [log] })).toEqual({ ...NONE, open: [log.id] });
    expect(await findingsOf({ findings: [log] }, { findings: [] })).toEqual({ ...NONE, fixed: [log.id] });
  });

  test('of one of two hazards with one id are told apart by their cells', async () => {
    const hazards = [hazard('H1', 'Wrong dose', 2), hazard('H1', 'Wrong patient', 3)];
    const [first, second] = [finding('no-owner', 'H1', ['C2']), finding('no-owner', 'H1', ['C3'])];
    expect(await findingsOf({ hazards, findings: [first] }, { hazards, findings: [second] })).toEqual({
      ...NONE,
      fixed: [first.id],
      added: [second.id],
    });
  });
});

test('comparing a log of ten thousand hazards gives other work its turn', async () => {
  const hazards = Array.from({ length: 10_000 }, (_, at) => hazard(`H${at}`, `Hazard ${at}`, at + 2));
  const findings = hazards.map(({ id, rows }) => finding('no-owner', id, [`C${rows.first}`]));
  const result = makeResult({ hazards, findings });
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const { findings: compared } = await compare(result, result).finally(() => clearImmediate(next));
  expect(compared.open).toHaveLength(10_000);
  // Each of its seven lists gives way nine times.
  expect(turns).toBeGreaterThan(6 * 9);
});

describe('what changed in three lines', () => {
  test('counts hazards, findings and coverage, exactly', async () => {
    const before = makeResult({
      hazards: [WRONG_DOSE, WRONG_PATIENT],
      findings: [finding('no-owner', 'H1', ['C2']), finding('no-cause', 'H2', ['D3'])],
      coverage: { covered: 21, relevant: 30 },
      coverageScore: 70,
      log: { versions: [{ source: 'cover', version: '1.7', place: null }] },
    });
    const lower = { initial: rated('Minor', 'Low', 1), residual: rated('Minor', 'Very low', 1) };
    const after = makeResult({
      hazards: [{ ...WRONG_PATIENT, ...lower }, LOST],
      findings: [finding('no-evidence', 'H2', ['F3'])],
      coverage: { covered: 24, relevant: 31 },
      coverageScore: 77,
    });
    expect(describeComparison(await compare(before, after), 'UTC')).toEqual([
      'Since the earlier analysis (v1.7, 1 May 2026): 1 hazard added, 1 removed, 1 re-rated.',
      'Findings to fix or check: 1 fixed, 1 new, 0 still open, 1 gone with removed hazards.',
      'Relevant tickets covered: 21 of 30 then, 24 of 31 now.',
    ]);
  });

  test('says how many are accepted, where some are', async () => {
    const same = makeResult({ hazards: [WRONG_DOSE], findings: [finding('no-owner', 'H1', ['C2'])] });
    const compared = await compare(same, same);
    const { open } = compared.findings;
    expect(
      describeComparison({ ...compared, findings: { ...compared.findings, open: [], accepted: open } }, 'UTC')[1],
    ).toBe('Findings to fix or check: 0 fixed, 0 new, 0 still open, 1 accepted.');
  });

  test('says where nothing changed, coverage has no figure, or the rules changed', async () => {
    const same = makeResult({ hazards: [WRONG_DOSE] });
    const later = { ...same, analysisMetadata: { ...same.analysisMetadata, engineVersion: '1.1.0' } };
    expect(describeComparison(await compare(same, later), 'UTC')).toEqual([
      'Since the earlier analysis (1 May 2026): 0 hazards added, 0 removed, 0 re-rated.',
      'Findings to fix or check: 0 fixed, 0 new, 0 still open. Arc’s rules changed in between, which may add or end findings.',
      'Coverage has no figure in either analysis.',
    ]);
    const covered = makeResult({ hazards: [WRONG_DOSE], coverage: { covered: 1, relevant: 2 }, coverageScore: 50 });
    expect(describeComparison(await compare(same, covered), 'UTC')[2]).toBe(
      'Relevant tickets covered: no figure then, 1 of 2 now.',
    );
  });
});

describe('what changed, for whoever left off', () => {
  const count = async (before: AnalysisResult, after: AnalysisResult) => countChanges(await compare(before, after));
  const coverage = (covered: number) => ({ coverage: { covered, relevant: 30 }, coverageScore: covered });

  test('counts a re-rated hazard although no figure of the result differs', async () => {
    const lower = { initial: rated('Minor', 'Low', 1), residual: rated('Minor', 'Very low', 1) };
    const [before, after] = [
      makeResult({ hazards: [WRONG_DOSE, WRONG_PATIENT], ...coverage(21) }),
      makeResult({ hazards: [WRONG_DOSE, { ...WRONG_PATIENT, ...lower }], ...coverage(21) }),
    ];
    expect(describeChanges(await count(before, after), '21 of 30')).toBe('Changed: 1 hazard re-rated');
  });

  test('names each change, and coverage then and now', async () => {
    const before = makeResult({
      hazards: [WRONG_DOSE, WRONG_PATIENT],
      findings: [finding('no-cause', 'H2', ['D3'])],
      ...coverage(21),
    });
    const after = makeResult({
      hazards: [WRONG_PATIENT, LOST],
      findings: [finding('no-evidence', 'H2', ['F3'])],
      ...coverage(24),
    });
    expect(describeChanges(await count(before, after), '24 of 30')).toBe(
      'Changed: 1 hazard added, 1 hazard removed, 1 finding fixed, 1 new finding, coverage 24 of 30 (21 of 30 before)',
    );
  });

  test('says that nothing changed, also where coverage had no figure before', async () => {
    const same = makeResult({ hazards: [WRONG_DOSE], ...coverage(21) });
    expect(describeChanges(await count(same, same), '21 of 30')).toBe('Nothing changed since the analysis before');
    const without = makeResult({ hazards: [WRONG_DOSE] });
    expect(describeChanges(await count(without, same), '21 of 30')).toBe('Nothing changed since the analysis before');
  });
});

describe('two results are of the same log', () => {
  const version = (logDigest: string, hazards: ExistingHazard[]) => {
    const result = makeResult({ hazards });
    return { ...result, analysisMetadata: { ...result.analysisMetadata, logDigest } };
  };
  const product = (names: string[]) => names.map((name, index) => hazard(`H${index + 1}`, name, index + 2));

  test('where the file is the same, or half of the hazards are', async () => {
    const one = version('a', product(['A', 'B', 'C', 'D']));
    expect(await isSameLog(one, version('a', []))).toBe(true);
    expect(await isSameLog(one, version('b', product(['A', 'B', 'X', 'Y'])))).toBe(true);
    expect(await isSameLog(one, version('b', product(['A', 'X', 'Y', 'Z'])))).toBe(false);
    expect(await isSameLog(one, version('b', product(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'])))).toBe(true);
  });

  test('not where only the ids are alike, or there are no hazards', async () => {
    expect(await isSameLog(version('a', product(['A', 'B'])), version('b', product(['C', 'D'])))).toBe(false);
    expect(await isSameLog(version('a', []), version('b', []))).toBe(false);
  });
});
