import { describe, expect, test } from '@jest/globals';
import { type Askable, askable } from '../../../bot/engine/queries/answerQuery.ts';
import type { Entity, Field } from '../../../bot/engine/queries/entity.ts';
import { nearestOf } from '../../../bot/engine/queries/nouns.ts';

type Valve = {
  tag: string;
  state: string | null;
  keeper: string | null;
  wear: number | null;
  noise: number | null;
  leaks: string[];
  grade: string | null;
  sealed: boolean | null;
};
const valve = (tag: string, more: Partial<Valve> = {}): Valve => ({
  ...{ tag, state: 'Shut', keeper: 'Ann Lee', wear: 1, noise: 1, leaks: [], grade: 'Low', sealed: true },
  ...more,
});

const number = (id: 'wear' | 'noise'): Field<Valve> => ({
  id,
  kind: 'number',
  names: [id, 'reading'],
  noun: `recorded ${id}`,
  has: `a recorded ${id}`,
  lacks: `no recorded ${id}`,
  read: (row) => row[id],
});
const FIELDS: Field<Valve>[] = [
  {
    id: 'state',
    kind: 'choice',
    names: ['state'],
    noun: 'state',
    has: 'a state',
    lacks: 'no state',
    read: ({ state }) => state,
    usual: ['Open'],
  },
  {
    id: 'keeper',
    kind: 'choice',
    names: ['keeper', 'keepers'],
    noun: 'keeper',
    has: 'a keeper',
    lacks: 'no keeper',
    blank: ['unkept', 'nobody keeps'],
    before: ['kept by'],
    behind: ['keeps', 'keep'],
    isNamed: true,
    read: ({ keeper }) => keeper,
    note: () => 'A blank cell is no keeper.',
  },
  number('wear'),
  number('noise'),
  {
    id: 'leaks',
    kind: 'count',
    names: ['leak', 'leaks'],
    noun: 'leak',
    has: 'a leak',
    lacks: 'no leak',
    read: ({ leaks }) => leaks.length,
  },
  {
    id: 'grade',
    kind: 'choice',
    names: ['grade'],
    noun: 'grade',
    has: 'a grade',
    lacks: 'no grade',
    read: ({ grade }) => grade,
    order: ['Low', 'Middle', 'Top'],
  },
  {
    id: 'sealed',
    kind: 'flag',
    names: ['seal'],
    noun: 'seal',
    has: 'a known seal',
    lacks: 'no known seal',
    read: ({ sealed }) => sealed,
    yes: { words: ['sealed'], says: { verb: 'are', rest: 'sealed' } },
    no: { words: ['unsealed'], says: { verb: 'are', rest: 'not sealed' } },
  },
];
const valves = (rows: Valve[], fields = FIELDS): Entity<Valve> => ({
  id: 'valves',
  one: 'valve',
  many: 'valves',
  rows,
  fields,
  line: ({ tag }) => tag,
});

const ROWS = [
  valve('V1'),
  valve('V2', { state: 'Open', wear: 2, noise: 3, leaks: ['a'], grade: 'Middle' }),
  valve('V3', { state: 'Open', wear: 3, noise: 3, leaks: ['a', 'b'], grade: 'Top', keeper: 'Bo Orr', sealed: false }),
  valve('V4', { state: 'Stuck', wear: 3, noise: null, grade: null, keeper: null, sealed: null }),
  valve('V5', { state: null, wear: null }),
];
const askableOf = (entity: ReturnType<typeof valves>) => askable(entity, () => entity);
const answerQuery = (all: Askable[], line: string) =>
  (nearestOf(all, line, ({ nouns }) => nouns) ?? all[0])?.ask(line) ?? null;
const ask = (line: string, rows = ROWS, fields = FIELDS) => answerQuery([askableOf(valves(rows, fields))], line);
const textOf = (line: string, rows = ROWS) => {
  const answer = ask(line, rows);
  return answer && ('text' in answer ? answer.text : `refused: ${answer.refused}`);
};
/** The tags listed, or null where the question is not understood. */
const tagsOf = (line: string) => {
  const text = textOf(line);
  return text && (text.match(/^• V\d/gm) ?? []).join('').replaceAll('• ', '');
};

test.each<[line: string, tags: string]>([
  ['valves that are open', 'V2V3'],
  ['valves that are not open', 'V1V4'],
  ['valves that are not open or stuck', 'V1'],
  ['valves neither open nor stuck', 'V1'],
  ['open and stuck valves', 'V2V3V4'],
  ['valves with state other than open', 'V1V4'],
  ['valves with wear above 1 and below 3', 'V2'],
  ['valves with wear of 1 or 2', 'V1V2'],
  ['valves with wear of 2 or more', 'V2V3V4'],
  ['valves with wear not between 2 and 3', 'V1'],
  ['valves with noise above wear', 'V2'],
  ['valves with noise same as wear', 'V1V3'],
  ['valves with grade of at least middle', 'V2V3'],
  ['valves with grade above middle', 'V3'],
  ['middle or above valves', 'V2V3'],
  ['at least middle valves', 'V2V3'],
  ['valves with at least 1 leak', 'V2V3'],
  ['valves with more than one leak', 'V3'],
  ['valves with 2 leaks', 'V3'],
  ['valves with 1 or more leaks', 'V2V3'],
  ['valves with no leaks', 'V1V4V5'],
  ['open valves with no leak or open', 'null'],
  ['valves without keeper or grade', 'V4'],
  ['valves without keeper or without state', 'V4V5'],
  ['valves kept by bo orr', 'V3'],
  ["bo orr's valves", 'V3'],
  ['valves does bo orr keep', 'V3'],
  ['valves with keeper missing', 'V4'],
  ['unkept valves', 'V4'],
  ['valves yet to be open', 'V1V4'],
  ['valves still to be open', 'V1V4'],
  ['valves that are not yet open', 'V1V4'],
  ['valves that are not open yet', 'V1V4'],
  ['open valves yet without keeper', ''],
  ['valves kept by neither bo orr nor ann lee', ''],
  ['valves kept by someone other than bo orr', 'V1V2V5'],
  ['valves w / o keeper', 'V4'],
  ['valves with most leaks', 'V3'],
  ['sealed valves', 'V1V2V5'],
  ['valves that are not sealed', 'V3'],
  ['unsealed valves that are open', 'V3'],
  ['stuck or sealed valves', 'V1V2V4V5'],
  ['first two valves', 'V1V2'],
  ['valves with highest wear', 'V3V4'],
  ['two lowest wear of valves that are open', 'V2V3'],
  ['top 1 valves by noise', 'V2V3'],
  ['valves sorted by wear lowest first', 'V1V2V3V4'],
  ['wear above 2', 'V3V4'],
  ['valves that are not open and not stuck', 'V1'],
  ['valves ann lee keeps not open and not stuck', 'V1'],
  ["valves bo orr doesn't keep", 'V1V2V5'],
  ['valves that bo orr keeps open only', 'V3'],
  ['only open', 'V2V3'],
  ['only open valves', 'V2V3'],
  ['valves kept only by bo orr', 'null'],
  ['open ones with wear above 2', 'V3'],
  ['stuck and nobody keeps it', 'V4'],
  ['valves above middle grade', 'V3'],
  ['valves not above middle grade', 'V1V2V5'],
  ['valves different from open', 'V1V4'],
  ["what's open with wear above 2", 'V3'],
  ['valves that are not open stuck or odd', 'null'],
  ['valves that are not shut open or stuck', ''],
  ['valves without named keeper', 'V4'],
  ['valves with wear no lower than 3', 'V3V4'],
  ['valves with wear at or below 1', 'V1'],
  ['do we have valves without any leaks at all', 'V1V4V5'],
  ['valves from lowest wear up', 'V1V2V3V4'],
  ['stuck valves have highest wear', 'V4'],
])('%s', (line, tags) => {
  expect(String(tagsOf(line))).toBe(tags);
});

describe('an answer', () => {
  test('has the count and the condition first, and says what a missing value leaves open', () => {
    expect(textOf('open valves with noise above 1')).toBe(
      '2 valves of 5 have the state “Open” and a recorded noise above 1:\n• V2\n• V3',
    );
    // V5 has no state, but its noise alone decides; with this noise its state is open.
    expect(textOf('open valves with noise of 1')).toBe(
      '0 valves of 5 have the state “Open” and a recorded noise of 1.\n1 more valve has no state, and is not counted here.',
    );
    expect(textOf('valves that are sealed and have noise below 2')).toBe(
      '2 valves of 5 are sealed and have a recorded noise below 2:\n• V1\n• V5\n1 more valve has no known seal or no recorded noise, and is not counted here.',
    );
    expect(textOf('valves with wear from 2 to 3')).toMatch(/^3 valves of 5 have a recorded wear from 2 to 3:/);
    expect(textOf('valves with 1 leak')).toMatch(/^1 valve of 5 has exactly 1 leak:/);
    expect(textOf('unsealed valves with no leak')).toBe(
      '0 valves of 5 are not sealed and have no leak.\n1 more valve has no known seal, and is not counted here.',
    );
  });

  test('lists twelve rows and counts the rest', () => {
    const many = (count: number) =>
      textOf(
        'open valves',
        Array.from({ length: count }, (_, at) => valve(`V${at}`, { state: 'Open' })),
      )?.split('\n');
    expect(many(12)).toHaveLength(13);
    expect(many(13)?.slice(12)).toEqual(['• V11', '… and 1 more.']);
  });

  test('counts groups, the largest first, and rows without a value as such', () => {
    expect(textOf('how many valves by state')).toBe(
      '5 valves by state:\n• Open: 2\n• Shut: 1\n• Stuck: 1\n• no state: 1',
    );
    expect(textOf('valves by sealed state')).toBeNull();
    expect(textOf('open valves per seal')).toBe(
      '2 valves of 5 have the state “Open”, by seal:\n• sealed: 1\n• not sealed: 1\n1 more valve has no state, and is not counted here.',
    );
    expect(textOf('sealed valves per keeper')).toBe(
      '3 valves of 5 are sealed, by keeper:\n• Ann Lee: 3\n1 more valve has no known seal, and is not counted here.',
    );
  });

  test('says that a value can’t be compared', () => {
    expect(textOf('valves with grade above low', [valve('V1', { grade: 'Odd' }), valve('V2', { grade: 'Top' })])).toBe(
      '1 valve of 2 has a grade above “Low”:\n• V2\n1 more valve has a value that can’t be compared, and is not counted here.',
    );
  });

  test('shows the value that rows are sorted by, and cuts none off that shares the last', () => {
    expect(textOf('two highest wear of valves')).toBe(
      '2 valves of 5 have the highest recorded wears:\n• V3 (3)\n• V4 (3)\n1 more valve has no recorded wear, and is not counted here.',
    );
    expect(textOf('valves with most leaks')?.split('\n')[0]).toBe('1 valve of 5 has the most leaks:');
    expect(textOf('valves ranked by number of leaks')?.split('\n')[0]).toBe(
      '5 valves of 5, by number of leaks, the highest first:',
    );
    expect(textOf('valves sorted by wear')?.split('\n')[0]).toBe('4 valves of 5, by recorded wear, the highest first:');
  });

  test('is given for each field that a word names', () => {
    expect(textOf('valves with reading above 2')).toBe(
      '2 valves of 5 have a recorded wear above 2:\n• V3\n• V4\n1 more valve has no recorded wear, and is not counted here.\n2 valves of 5 have a recorded noise above 2:\n• V2\n• V3\n1 more valve has no recorded noise, and is not counted here.',
    );
  });

  test('names the words that it left out, three at most, and the note on a field', () => {
    expect(textOf('open valves last week')).toMatch(/\nI left out: last, week\.$/);
    expect(textOf('open valves so very long ago')).toBeNull();
    expect(textOf('last week open')).toBeNull();
    expect(textOf('valves with keeper')).toMatch(/\nA blank cell is no keeper\.$/);
    expect(textOf('open valves')).not.toContain('blank cell');
  });
});

describe('what the rows can’t answer', () => {
  test('is refused with the reason', () => {
    const blank = [valve('V1', { state: null, wear: null })];
    expect(textOf('open valves', blank)).toBe('refused: none of its valves has a state.');
    expect(textOf('valves with wear above 1', blank)).toBe('refused: none of its valves has a recorded wear.');
    const fields = FIELDS.map((field) => (field.id === 'keeper' ? { ...field, refused: 'no column for it.' } : field));
    const without = [valve('V1', { keeper: null })];
    expect(ask('valves without keeper', without, fields)).toEqual({ refused: 'no column for it.' });
    expect(ask('valves without keeper', ROWS, fields)).toMatchObject({ text: expect.stringMatching(/^1 valve of 5/) });
  });

  test('is refused where a value is near to another, or a value that no row has is negated', () => {
    const near = [valve('V1', { state: 'Open' }), valve('V2', { state: 'Open wide' })];
    expect(textOf('open valves', near)).toBe(
      'refused: its values for state are “Open” (1), “Open wide” (1). Ask with one of these exactly.',
    );
    const shut = [valve('V1')];
    expect(textOf('open valves', shut)).toBe(
      '0 valves of 1 have the state “Open”.\nNo row has exactly this value: its values for state are “Shut” (1).',
    );
    expect(textOf('valves not open', shut)).toMatch(/^refused: /);
  });
});

describe('a value that goes on behind a dash', () => {
  const long = (state: string) => [valve('V1', { state }), valve('V2', { state: 'Open' })];
  test('is meant by what it begins with, and the answer says so', () => {
    expect(textOf('valves that are cleared', long('Cleared – in use'))).toBe(
      '1 valve of 2 has the state “Cleared – in use”:\n• V1\nI read “cleared” as “Cleared – in use”.',
    );
    expect(textOf('valves that are not cleared', long('Cleared (again)'))).toMatch(
      /^1 valve of 2 .*other than.*\n• V2/,
    );
  });
  test.each(['Cleared – in use', 'Cleared of rust', 'Not cleared'])('is asked back beside “%s”', (other) => {
    const rows = [...long('Cleared: by Ann'), valve('V3', { state: other })];
    expect(textOf('valves that are cleared', rows)).toMatch(/^refused: /);
  });
  test('is not meant where another value is near to it', () => {
    const fields = FIELDS.map((field) =>
      field.id === 'state' && field.kind === 'choice' ? { ...field, isNear: () => true } : field,
    );
    expect(ask('valves that are cleared', long('Cleared – in use'), fields)).toHaveProperty('refused');
  });
  test('is not meant by three letters', () => {
    expect(ask('valves that are red', long('Red – hot'))).toBeNull();
  });
});

test.each([
  'valves not open and stuck',
  'valves open or stuck and sealed or unkept',
  'valves not open or sealed',
  'valves with no keeper and grade',
  'valves with no no keeper',
  'valves with leaks without grade',
  'valves with odd keeper',
  'valves that are odd',
  'valves that were open',
  'my open valves',
  'valves',
  'valves with',
  'open valves and',
  'and open ones',
  'open ones',
  'valves with wear above',
  'valves with wear of 1 and wear of 2',
  'valves kept by cy',
  'valves 3',
  'valves open yet',
  'valves with grade for every leak',
  'valves per leak',
  'open valves that are not open',
  'open valves not stuck',
  'valves where odd wear is above 1',
  'valves that need to be open',
  'valves not kept by neither bo orr nor ann lee',
  'first valves',
  'highest valves',
  'valves with only one kind of leak',
  'valves that have only leaks',
  'them with wear above 2 and open',
  'open ones only',
  'valves that are not only open',
  'do only open valves have leaks',
  'does it have leaks and wear above 1',
  'is that open with wear above 1',
  'valves with some keeper missing',
  'valves by wear and by state',
  'pipes that are open',
  '',
])('“%s” is not answered', (line) => {
  expect(ask(line)).toBeNull();
});

test('the kind of row that a question names first is asked, not one that it has or lacks', () => {
  const other = askableOf({ ...valves([]), one: 'leak', many: 'leaks' });
  const both = [askableOf(valves(ROWS)), other];
  expect(answerQuery(both, 'valves with no leaks')).toMatchObject({ text: expect.stringMatching(/^3 valves of 5/) });
  expect(answerQuery(both, 'no leaks and open')).toMatchObject({ text: expect.stringMatching(/^0 valves of 5/) });
  expect(answerQuery(both, 'how many leaks')).toEqual({
    text: '0 leaks.',
    asked: expect.objectContaining({ noun: 'leaks' }),
    outside: [],
  });
});

test('the words of people in the listed rows, and in groups by a name, are given apart', () => {
  const rows = Array.from({ length: 13 }, (_, at) => valve(`V${at}`, { keeper: at < 12 ? 'Ann Lee' : 'Bo Orr' }));
  const entity = { ...valves(rows), outside: ({ tag, keeper }: Valve) => [tag, keeper] };
  const outsideOf = (line: string) => {
    const answer = answerQuery([askableOf(entity)], line);
    return answer && 'outside' in answer ? answer.outside : null;
  };
  expect(outsideOf('list valves')).toEqual(['V0', 'Ann Lee', ...rows.slice(1, 12).map(({ tag }) => tag)]);
  expect(outsideOf('how many valves by keeper')).toEqual(['Ann Lee', 'Bo Orr']);
  expect(outsideOf('how many valves by state')).not.toContain('Shut');
});
