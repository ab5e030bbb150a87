import { describe, expect, test } from '@jest/globals';
import { readFacts } from '../../../bot/agents/mdr/facts/readFacts.ts';
import { classify } from '../../../bot/agents/mdr/rules/classify.ts';
import { dayIn, reportsDue } from '../../../bot/agents/mdr/surveillance/dates.ts';
import { describeDue } from '../../../bot/agents/mdr/surveillance/describeDue.ts';

const BASE = 'Medical purpose: yes\nProcessing: calculates\nIndividual patients: yes\nDriven device: no\nMarket: both';
const CLASS: Record<string, string> = {
  I: 'Decisions: no\nMonitoring: no',
  IIa: 'Decisions: therapy\nWorst consequence: less\nMonitoring: no',
  IIb: 'Decisions: therapy\nWorst consequence: serious\nMonitoring: no',
  danger: 'Decisions: no\nMonitoring: immediate danger',
};

function dueOf(found: string, dates: string, today: string) {
  const { facts } = readFacts(`${BASE}\n${CLASS[found]}\n${dates}`);
  const [eu, uk] = reportsDue(facts, classify(facts), today);
  return { eu, uk };
}

describe('the periodic safety update report in the EU', () => {
  test.each([
    ['IIb', '2024-02-29', '2025-02-28', '2025-02-28', 0],
    ['IIb', '2024-02-29', '2025-03-01', '2026-02-28', 1],
    ['IIb', '2024-02-29', '2027-12-31', '2028-02-29', 3],
    ['IIa', '2024-02-29', '2026-02-28', '2026-02-28', 0],
    ['IIa', '2024-02-29', '2026-03-01', '2028-02-29', 1],
    ['IIb', '2025-12-31', '2026-01-01', '2026-12-31', 0],
    ['IIb', '2026-06-01', '2026-05-31', '2027-06-01', 0],
  ])('%s certified on %s is due, on %s, by %s with %d passed', (found, certified, today, next, passed) =>
    expect(dueOf(found, `Certificate date: ${certified}`, today).eu).toMatchObject({ next, passed }),
  );

  test('counts from the certificate, else from the first placing on the market', () => {
    const both = 'Certificate date: 2026-01-10\nFirst placed on the market: 2026-03-05';
    expect(dueOf('IIb', both, '2026-06-01').eu).toMatchObject({ next: '2027-01-10' });
    const market = dueOf('IIb', 'First placed on the market: 2026-03-05', '2026-06-01').eu;
    expect(market).toMatchObject({ next: '2027-03-05', from: { what: 'the first placing on the market' } });
  });

  test('has no day without a date, and class I has a report without a fixed day', () => {
    const { eu } = dueOf('IIb', '', '2026-06-01');
    expect(eu?.next).toBeNull();
    expect(eu && describeDue(eu)).toContain('No date is counted');
    const first = dueOf('I', 'Certificate date: 2026-01-10', '2026-06-01').eu;
    expect(first).toMatchObject({ report: 'Post-market surveillance report', next: null });
    expect(first && describeDue(first)).toContain('It has no fixed day.');
  });
});

describe('in Great Britain', () => {
  test.each([
    ['I', '2026-01-01', '2029-01-01'],
    ['danger', '2026-01-01', '2027-01-01'],
    // What was on the market before the rules counts from the day they are in force.
    ['I', '2020-01-01', '2028-06-16'],
    ['I', '2025-06-16', '2028-06-16'],
    ['I', '2025-06-17', '2028-06-17'],
  ])('class %s placed on %s is due by %s', (found, marketed, next) =>
    expect(dueOf(found, `First placed on the market: ${marketed}`, '2026-06-01').uk).toMatchObject({ next }),
  );
});

test.each([
  ['I', null, 3],
  ['IIa', 2, 2],
  ['IIb', 1, 1],
  ['III', 1, 1],
] as const)('class %s has a report every %s years in the EU and every %d in Great Britain', (found, eu, uk) => {
  const classified = { eu: { class: found }, uk: { class: found } } as Parameters<typeof reportsDue>[1];
  const { facts } = readFacts(`${BASE}\nFirst placed on the market: 2026-03-05`);
  const due = reportsDue(facts, classified, '2026-06-01');
  expect(due.map(({ market, everyYears, next }) => [market, everyYears, next])).toEqual([
    ['European Union', eu, eu && `${2026 + eu}-03-05`],
    ['Great Britain', uk, `${2026 + uk}-03-05`],
  ]);
});

test.each([
  ['Europe/London', '2026-03-31'],
  ['Europe/Berlin', '2026-04-01'],
  ['America/New_York', '2026-03-31'],
])('today in %s is %s', (zone, day) => expect(dayIn(zone, new Date('2026-03-31T22:30:00Z'))).toBe(day));

test('a due report is said with what it is counted from, and how many days have passed', () => {
  const { eu } = dueOf('IIb', 'Certificate date: 2024-02-29', '2026-11-26');
  expect(eu && describeDue(eu)).toBe(
    'European Union: periodic safety update report (Article 86: at least every year). Due by 28 February 2027 at the latest, counted from the certificate on 29 February 2024. 2 such days have passed before today.',
  );
});
