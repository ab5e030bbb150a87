import { describe, expect, test } from '@jest/globals';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { makePackage, type SheetCell } from '../../../factories/hazardLog.ts';

type Sheets = Record<string, SheetCell[][]>;
const read = (sheets: Sheets) =>
  readLog(makePackage({ sheets: Object.entries(sheets).map(([name, rows]) => ({ name, rows })) }), 'log.xlsx');
const namesIn = async (sheets: Sheets) => (await read(sheets)).hazards.map(({ id, name }) => `${id} ${name}`);

const INDEX: SheetCell[][] = [
  ['Hazard ID', 'Hazard', 'Initial risk'],
  ['H1', 'Wrong dose', 3],
  ['H2', 'Lost dose', 2],
];
const form = (id: string, name: string): SheetCell[][] => [
  ['Hazard ID', id],
  ['Hazard name', name],
  ['Clinical effect', 'Overdose'],
  ['Causes', 'Units'],
  ['Controls', 'Two people check'],
  ['Initial severity', 'Major'],
  ['Initial likelihood', 'Low'],
];

describe('a short table and forms in one file', () => {
  test('are the index and its hazards where the forms have its ids', async () => {
    const log = await read({ Index: INDEX, H1: form('H1', 'Wrong dose'), H2: form('H2', 'Lost dose') });
    expect(log.hazards.map(({ id, clinicalImpact }) => [id, clinicalImpact])).toEqual([
      ['H1', 'Overdose'],
      ['H2', 'Overdose'],
    ]);
    expect(log.isPutTogether).toBe(true);
  });

  test.each<[string, SheetCell[][][]]>([
    ['one form is missing', [form('H1', 'Wrong dose')]],
    ['a form is of another hazard', [form('H1', 'Wrong dose'), form('H9', 'Another')]],
  ])('are the table alone where %s', async (_why, forms) => {
    const sheets = Object.fromEntries(forms.map((rows, at) => [`Form ${at}`, rows]));
    expect(await namesIn({ Index: INDEX, ...sheets })).toEqual(['H1 Wrong dose', 'H2 Lost dose']);
  });

  test('are the table alone where the form only explains how the log is filled in', async () => {
    const guide: SheetCell[][] = [
      ['Hazard ID', 'The number of the hazard'],
      ['Hazard name', 'What could go wrong, in a few words'],
      ['Clinical effect', 'What happens to the patient'],
      ['Causes', 'Why it could happen'],
      ['Controls', 'What is done about it'],
      ['Initial severity', 'Before controls'],
      ['Initial likelihood', 'Before controls'],
    ];
    const [head, first] = INDEX as [SheetCell[], SheetCell[]];
    expect(await namesIn({ Log: [head, first], 'How to': guide })).toEqual(['H1 Wrong dose']);
  });

  test('are the table alone where it says as much itself', async () => {
    const rows: SheetCell[][] = [
      ['Hazard ID', 'Hazard', 'Cause', 'Effect', 'Severity', 'Likelihood'],
      ['H1', 'Wrong dose', 'Units', 'Death', 'Major', 'Low'],
    ];
    expect((await read({ Log: rows, H1: form('H1', 'Wrong dose') })).hazards[0]?.clinicalImpact).toBe('Death');
  });
});

describe('a column by its cells', () => {
  test('headed “Hazard” holds the ids where all of its cells are ids, and the next name is the name', async () => {
    const rows = (first: string): SheetCell[][] => [
      ['Hazard', 'Title', 'Cause', 'Effect'],
      [first, 'Wrong dose', 'Units', 'Overdose'],
      ['HAZ-2', 'Lost dose', 'Queue', 'Delay'],
    ];
    expect(await namesIn({ Log: rows('HAZ-1') })).toEqual(['HAZ-1 Wrong dose', 'HAZ-2 Lost dose']);
    expect((await read({ Log: rows('Wrong unit') })).hazards.map(({ hasId }) => hasId)).toEqual([false, false]);
  });

  test.each<[heading: string, cells: string[], severity: (string | null)[], effect: string[]]>([
    ['Impact', ['4', '3'], ['4', '3'], ['', '']],
    ['Impact', ['Major', 'Minor'], ['Major', 'Minor'], ['', '']],
    ['Impact', ['Overdose', 'Delay'], [null, null], ['Overdose', 'Delay']],
    ['Impact', ['4', 'Delay'], [null, null], ['4', 'Delay']],
  ])('headed “%s” over %j is a severity of %j and an effect of %j', async (heading, cells, severity, effect) => {
    const rows = cells.map((cell, at): SheetCell[] => [`H${at}`, `Wrong dose ${at}`, 'Units', cell, 'Low']);
    const log = await read({ Log: [['ID', 'Hazard', 'Cause', heading, 'Likelihood'], ...rows] });
    expect(log.hazards.map(({ initial }) => initial.severity)).toEqual(severity);
    expect(log.hazards.map(({ clinicalImpact }) => clinicalImpact)).toEqual(effect);
  });

  test('headed “Risk” is the hazard where it is written in sentences and nothing else names it', async () => {
    const rows = (head: string, second: SheetCell): SheetCell[][] => [
      ['Ref', 'Risk', 'Due to', head],
      ['R1', 'Pack loaded to the wrong channel', 'Code typed by hand', 'Wrong drug'],
      ['R2', second, 'Default date', 'Old drug'],
    ];
    expect(await namesIn({ Log: rows('Leading to', 'Expired stock is picked') })).toEqual([
      'R1 Pack loaded to the wrong channel',
      'R2 Expired stock is picked',
    ]);
    await expect(namesIn({ Log: rows('Leading to', 3) })).resolves.not.toContain('R1 Pack loaded to the wrong channel');
  });
});

test('controls that are planned or required are no controls yet; those of another meaning are no further ones', async () => {
  const controlsOf = async (...headings: string[]) => {
    const log = await read({
      Log: [
        ['ID', 'Hazard', 'Cause', 'Effect', ...headings],
        ['H1', 'Wrong dose', 'Units', 'Overdose', ...headings.map((_, at) => `text ${at}`)],
      ],
    });
    return log.hazards[0]?.controls.map(({ text }) => text);
  };
  expect(await controlsOf('Controls', 'Additional controls required')).toEqual(['text 0']);
  expect(await controlsOf('Controls', 'Planned controls')).toEqual(['text 0']);
  expect(await controlsOf('Controls', 'Control effectiveness')).toEqual(['text 0']);
  expect(await controlsOf('Control 1', 'Control 2', 'Control 3')).toEqual(['text 0', 'text 1', 'text 2']);
  expect(await controlsOf('Current controls (prevention)', 'Current controls (detection)')).toEqual([
    'text 0',
    'text 1',
  ]);
});

test('the export of a tracker has hazards of the type that says so; where none does, all issues count', async () => {
  const rows = (type: string): SheetCell[][] => [
    ['Issue key', 'Issue Type', 'Summary', 'Hazard cause', 'Harm'],
    ['A-1', type, 'Wrong dose', 'Units', 'Overdose'],
    ['A-2', 'Task', 'Update the slides', 'Audit', 'None'],
  ];
  expect(await namesIn({ Log: rows('Hazard') })).toEqual(['A-1 Wrong dose']);
  expect(await namesIn({ Log: rows('Story') })).toEqual(['A-1 Wrong dose', 'A-2 Update the slides']);
});
