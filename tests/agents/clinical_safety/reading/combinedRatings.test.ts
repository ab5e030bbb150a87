import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readCombinedHeading } from '../../../../bot/agents/clinical_safety/reading/combinedRatings.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

/** A log with one column of ratings besides those named, and their cells. */
const read = (heading: string, cells: readonly string[], more = '') => {
  const rows = cells.map((cell, at) => `H${at + 1};Wrong dose ${at};Units;Overdose;${more ? '4;3;' : ''}${cell}`);
  const csv = [`ID;Hazard;Cause;Harm;${more}${heading}`, ...rows].join('\n');
  return readLog(new TextEncoder().encode(csv), 'log.csv');
};
const ratingsOf = async (heading: string, cells: readonly string[]) => {
  const log = await read(heading, cells);
  return log.hazards.map(({ initial, residual }) => {
    const { severity, likelihood, risk } = initial.severity === null && initial.risk === null ? residual : initial;
    return [severity, likelihood, risk];
  });
};

describe('several ratings in one cell', () => {
  test.each<[heading: string, cell: string, ratings: (string | number | null)[]]>([
    ['Initial (Sev / Lik / Risk)', 'Major / High / 4', ['Major', 'High', 4]],
    ['S x L = R (raw)', '5 x 3 = 15', ['5', '3', 15]],
    ['S x L = R', '5x3=15', ['5', '3', 15]],
    ['Residual: L / S / R', 'Low / Major / 3', ['Major', 'Low', 3]],
    ['Severity / Likelihood', 'Major / Low', ['Major', 'Low', null]],
    ['Severity, Likelihood, Risk score', 'Major, Low, 3', ['Major', 'Low', 3]],
  ])('under “%s”, “%s” is %j', async (heading, cell, ratings) => {
    expect(await ratingsOf(heading, [cell, cell])).toEqual([ratings, ratings]);
  });

  test('are blank where a cell has none of them', async () => {
    const some = ['5 / 3 / 15', '4 / 2 / 8', 'to be agreed'];
    expect((await ratingsOf('S / L / R', some))[2]).toEqual([null, null, null]);
  });

  test.each([
    ['Risk score (S x L)', ['12', '6']],
    ['Risk (Sev x Lik)', ['12 high', '6 medium']],
    ['Risk (S×L)', ['12', '6']],
    ['RPN (SxOxD)', ['12', '6']],
  ])('are not looked for under “%s” over one number, which is their product', async (heading, cells) => {
    const log = await read(heading, cells, 'Severity;Likelihood;');
    expect(log.hazards.map(({ initial }) => [initial.severity, initial.likelihood, initial.risk])).toEqual([
      ['4', '3', 12],
      ['4', '3', 6],
    ]);
    const fixes = findFindings({ log, asOf: null, report: null }).filter(({ level }) => level === 'fix');
    expect(fixes.map(({ rule }) => rule)).not.toContain('missing-risk');
  });

  test('are listed as not read where a cell has more than the heading names', async () => {
    const log = await read('Initial S / L', ['Major / Low / 3', 'Major / Low / 3']);
    expect(log.findUnread().map(({ label }) => label)).toContain('Initial S / L');
    expect(log.hazards[0]?.initial).toMatchObject({ severity: null, likelihood: null });
  });

  test.each(['Severity', 'Risk / benefit', 'S / R', 'Cause / effect', 'Severity / Severity / Likelihood', 'L = low'])(
    'are not named by “%s”',
    (heading) => {
      expect(readCombinedHeading(heading)).toBeNull();
    },
  );
});

describe('ratings that a cell names itself, under “Before” and “After”', () => {
  const cell = (severity: string) => `"Severity: ${severity}\nLikelihood: Low\nRisk: 3"`;

  test('are read by their names, and nothing is asked', async () => {
    const log = await read('Before;After', [`${cell('Major')};${cell('Minor')}`, `${cell('Major')};`]);
    expect(log.hazards.map(({ initial, residual }) => [initial.severity, initial.risk, residual.severity])).toEqual([
      ['Major', 3, 'Minor'],
      ['Major', 3, null],
    ]);
    expect(log.openPoints).toEqual([]);
  });

  test('are not read where half of the cells name none', async () => {
    const log = await read('Before', [cell('Major'), 'as last year']);
    expect(log.hazards[0]?.initial.severity).toBeNull();
  });
});
