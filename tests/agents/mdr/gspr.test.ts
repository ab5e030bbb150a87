import { describe, expect, test } from '@jest/globals';
import { describeGaps, describeRequirements, findRequirements } from '../../../bot/agents/mdr/answers/requirements.ts';
import { EVIDENCE_IDS } from '../../../bot/agents/mdr/documents/evidence.ts';
import { findEvidence } from '../../../bot/agents/mdr/documents/findEvidence.ts';
import { readFacts } from '../../../bot/agents/mdr/facts/readFacts.ts';
import { makeChecklist } from '../../../bot/agents/mdr/gspr/checklist.ts';
import { REQUIREMENTS } from '../../../bot/agents/mdr/gspr/requirements.ts';

const numbers = REQUIREMENTS.map(({ number }) => number);
const letters = (number: string, last: string) =>
  [...'abcdefghijklmnopqrstuvwxyz'].slice(0, last.charCodeAt(0) - 96).map((letter) => `${number}(${letter})`);
const range = (chapter: number, last: number) => Array.from({ length: last }, (_, at) => `${chapter}.${at + 1}`);

const checklistOf = (words: string, documents: { name: string; text: string | null }[] = []) =>
  makeChecklist(readFacts(words).facts, findEvidence(documents));
const row = (words: string, number: string, documents?: { name: string; text: string | null }[]) =>
  checklistOf(words, documents).rows.find((one) => one.number === number);

describe('the numbers of Annex I', () => {
  test('are all there, once, from 1 to 23 with their sub-numbers', () => {
    expect(new Set(numbers).size).toBe(numbers.length);
    const chapterOne = [
      '1',
      '2',
      '3',
      ...letters('3', 'f'),
      '4',
      ...letters('4', 'c'),
      '5',
      ...letters('5', 'b'),
      '6',
      '7',
      '8',
      '9',
    ];
    const ten = [
      '10.1',
      ...letters('10.1', 'h'),
      '10.2',
      '10.3',
      ...[1, 2, 3, 4, 5].map((at) => `10.4.${at}`),
      '10.5',
      '10.6',
    ];
    const fourteen = ['14.1', ...letters('14.2', 'g'), '14.3', '14.4', '14.5', '14.6', '14.7'];
    const sixteen = [...letters('16.1', 'b'), ...letters('16.2', 'b'), '16.3', ...letters('16.4', 'd')];
    const nineteen = [...letters('19.1', 'c'), '19.2', '19.3', '19.4'];
    const label = ['23.1', ...letters('23.1', 'h'), ...letters('23.2', 's'), ...letters('23.3', 'j')];
    const instructions = [...letters('23.4', 'z'), '23.4(aa)', '23.4(ab)'];
    expect(numbers).toEqual([
      ...chapterOne,
      ...ten,
      ...range(11, 8),
      ...range(12, 2),
      ...range(13, 3),
      ...fourteen,
      ...range(15, 2),
      ...sixteen,
      ...range(17, 4),
      ...range(18, 8),
      ...nineteen,
      ...range(20, 6),
      ...range(21, 3),
      ...range(22, 3),
      ...label,
      ...instructions,
    ]);
  });

  test('each have their own words; those that can apply expect evidence, and every kind of evidence but two is expected', () => {
    expect(new Set(REQUIREMENTS.map(({ asks }) => asks)).size).toBe(REQUIREMENTS.length);
    for (const { number, applies, evidence } of REQUIREMENTS)
      expect([number, evidence.length > 0]).toEqual([number, !applies.startsWith('no-')]);
    const used = new Set(REQUIREMENTS.flatMap(({ evidence }) => evidence));
    expect(EVIDENCE_IDS.filter((id) => !used.has(id))).toEqual([
      'classification',
      'anomalies',
      'surveillance-report',
      'follow-up',
      'quality-system',
      'declaration',
    ]);
  });
});

describe('whether a number applies', () => {
  test.each([
    ['Lay users: yes', '22.1', 'yes'],
    ['Lay users: no', '22.1', 'no'],
    ['Version: 1', '22.1', 'open'],
    ['Mobile platform: yes', '17.3', 'yes'],
    ['Used together: no', '14.5', 'no'],
    ['Measuring function: yes', '15.2', 'yes'],
    ['Measuring function: yes', '15.1', 'yes'],
    ['Measuring function: no\nDecisions: no\nMonitoring: no', '15.1', 'no'],
    ['Measuring function: no\nDecisions: no', '15.1', 'open'],
    ['Monitoring: physiological processes', '18.4', 'yes'],
    ['Monitoring: none', '18.4', 'no'],
    ['Decisions: therapy\nWorst consequence: death', '23.4(d)', 'yes'],
    ['Decisions: therapy\nWorst consequence: less\nMonitoring: no\nDriven device: no', '23.4(d)', 'no'],
    ['Version: 1', '23.4(d)', 'open'],
    ['Version: 1', '10.1', 'no'],
    ['Version: 1', '17.2', 'yes'],
  ])('%j: %s %s', (words, number, applies) => {
    const found = row(words, number);
    expect(found?.applies).toBe(applies);
    expect(found?.because).not.toBe('');
    if (applies === 'no') expect([found?.expected, found?.missing]).toEqual([[], []]);
  });

  test('is counted once for each number', () => {
    const { counts } = checklistOf('Lay users: yes');
    expect(counts.applies + counts.not + counts.open).toBe(counts.all);
    expect(counts.all).toBe(REQUIREMENTS.length);
  });
});

describe('evidence', () => {
  const plan = { name: 'SW_development-plan v2.docx', text: null };

  test('is found by a document’s name, and by two phrases of its text, and the rest is the gap', () => {
    const threats = { name: 'Notes.md', text: 'Our threat model follows IEC 81001-5-1.' };
    expect(row('', '17.2', [plan, threats])).toMatchObject({
      found: ['SW_development-plan v2.docx (by name)', 'Notes.md (by text)'],
      missing: ['Software requirements', 'Verification and validation report', 'List of third-party software (SOUP)'],
    });
  });

  test('is not found by one phrase alone', () =>
    expect(row('', '18.8', [{ name: 'Notes.md', text: 'A threat model is planned.' }])?.missing).toHaveLength(1));

  test('has gaps in words, with the numbers that expect it', () => {
    const text = describeGaps('X', checklistOf('', [plan]), ['Scan.pdf'], 2);
    expect(text).toContain('of 2 documents');
    expect(text).toContain('• Software architecture: 4(a), 17.1');
    expect(text).not.toContain('Software development plan');
    expect(text).toContain('Only by their names: Scan.pdf.');
    expect(text).toContain('numbers of Annex I are open');
  });
});

describe('requirements in words', () => {
  const find = (text: string) => findRequirements(checklistOf('Lay users: yes'), text).map(({ number }) => number);

  test.each([
    ['show GSPR 17.2', ['17.2']],
    ['what does 23.4 (ab) ask', ['23.4(ab)']],
    ['GSPR 22', ['22.1', '22.2', '22.3']],
    ['number 4(a)', ['4(a)']],
    ['show the GSPR on alarms', ['4(b)', '18.3', '18.4']],
    ['GSPR on unicorns', []],
    ['show the GSPR', []],
  ])('%j finds %j', (text, found) => expect(find(text)).toEqual(found));

  test('on security find those on access and on development', () =>
    expect(find('Show the GSPR on security')).toEqual(expect.arrayContaining(['17.2', '17.4', '18.8'])));

  test('say how many more there are than are shown, and what to ask where none fits', () => {
    const { rows } = checklistOf('');
    expect(describeRequirements('X', rows.slice(0, 12))).not.toContain('more');
    expect(describeRequirements('X', rows.slice(0, 13))).toContain('1 more number fits.');
    expect(describeRequirements('X', rows.slice(0, 14))).toContain('2 more numbers fit.');
    expect(describeRequirements('X', [])).toContain('No number of Annex I fits');
  });
});
