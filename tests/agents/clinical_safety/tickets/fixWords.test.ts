import { describe, expect, test } from '@jest/globals';
import { findKnowledge, type KnowledgeEntry } from '../../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import { draftValues } from '../../../../bot/agents/clinical_safety/tickets/draftValues.ts';
import { failingPart, readHeading, tellsFailure } from '../../../../bot/agents/clinical_safety/tickets/fixWords.ts';

describe('what fails by a text', () => {
  test.each([
    'Allergy panel shows none known although the service failed',
    'Shows the wrong patient',
    'Display of allergies is empty',
    'Dose unit changes from microgram to milligram',
    'User should not see another patient’s record but does',
  ])('is all of “%s”', (text) => expect(failingPart(text)).toBe(text));

  test.each([
    ['Fix wrong dose rounding', 'wrong dose rounding'],
    ['[EPS-1] fix: the bug where the allergy panel is empty', 'allergy panel is empty'],
    ['fix(chart)!: missing dose unit', 'missing dose unit'],
    ['Fixes the issue that results are lost', 'results are lost'],
  ])('of “%s” is what is mended', (text, part) => expect(failingPart(text)).toBe(part));

  test.each([
    'Add a warning when the dose is missing',
    'Fix: add a warning when allergies are missing',
    'feat(dose): Implement rounding',
    'This PR validates the wrong unit',
    'Update the chart',
    'The chart should show the dose',
    'Now shows the allergy panel',
    'Prevent that the wrong patient is shown',
    'Fix typo',
  ])('is nothing of “%s”', (text) => expect(failingPart(text)).toBeNull());
});

test.each<[string, { isFix: boolean } | null]>([
  ['## Fix', { isFix: true }],
  ['h3. Expected result', { isFix: true }],
  ['*Acceptance criteria*', { isFix: true }],
  ['Solution:', { isFix: true }],
  ['Steps to reproduce:', { isFix: false }],
  ['# Actual result', { isFix: false }],
  ['Fix', null],
  ['The chart shows it.', null],
  ['## a heading of more than five words in it', null],
  [`## ${'Fix '.repeat(20)}`, null],
  [':', null],
])('the line “%s” is the heading %j', (line, heading) => expect(readHeading(line)).toEqual(heading));

test.each([
  ['The list is empty', true],
  ['The list is old', false],
  ['It can’t be opened', true],
  ['Notable results', false],
])('“%s” tells of a failure: %s', (text, fails) => expect(tellsFailure(text)).toBe(fails));

describe('the causes of a proposal', () => {
  const of = (ticketKey: string, summary: string, quote = '') => ({ ticketKey, summary, quote });
  const entry = findKnowledge('ALG-01') as KnowledgeEntry;
  const causesOf = (evidence: ReturnType<typeof of>[]) => draftValues(entry, evidence).cause.split('\n');
  const possible = (from: number) => entry.causes.map((text, at) => `${from + at}) Possible: ${text}`);

  test('are what fails by its tickets, never a fix', () => {
    const evidence = [
      of('A-1', ' Dose is wrong ', 'Something else fails'),
      of('A-2', 'Add a check of doses', 'The dose was wrong.'),
      of('A-3', 'Add a check of doses', 'Add a check'),
      of('A-4', 'Fix wrong rounding of doses'),
    ];
    const seen = ['1) Dose is wrong (A-1)', '2) The dose was wrong. (A-2)', '3) wrong rounding of doses (A-4)'];
    expect(causesOf(evidence)).toEqual([...seen, ...possible(4)]);
  });

  test('name at most three tickets; where all tell of a fix, only possible causes are left', () => {
    const wrong = Array.from({ length: 4 }, (_, at) => of(`A-${at}`, 'Dose is wrong'));
    expect(causesOf(wrong)).toHaveLength(3 + entry.causes.length);
    expect(causesOf([of('A-1', 'Add a check')])).toEqual(possible(1));
    // The ticket is still named.
    expect(draftValues(entry, [of('A-1', 'Add a check')]).description).toContain('Raised by A-1.');
  });
});
