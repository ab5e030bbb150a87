import { describe, expect, test } from '@jest/globals';
import { askable } from '../../../bot/engine/queries/answerQuery.ts';
import { withoutAsides } from '../../../bot/engine/queries/asides.ts';
import { withoutCourtesy } from '../../../bot/engine/queries/courtesy.ts';
import type { Entity } from '../../../bot/engine/queries/entity.ts';
import { eventField } from '../../../bot/engine/queries/flagField.ts';
import { namedField } from '../../../bot/engine/queries/namedField.ts';
import { spellOut } from '../../../bot/engine/queries/spellOut.ts';

test.each([
  ['pipes w / o keeper', 'pipes without keeper'],
  ['hw many docs werent added', 'how many documents were not added'],
  ['sev of pipe', 'severity of pipe'],
  ['pipes btw 2 and 4', 'pipes between 2 and 4'],
  ['btw which pipes leak', 'which pipes leak'],
  ['constructor', 'constructor'],
])('“%s” is written out as “%s”', (line, as) => {
  expect(spellOut(line, { sev: 'severity' })).toBe(as);
});

test.each([
  ['hello could you show me full list of open pipes please', 'show open pipes'],
  ['can i have open pipes', 'show open pipes'],
  ['i need to see which pipes are open', 'which pipes are open'],
  ['quick question how many pipes leak cheers', 'how many pipes leak'],
  ['pipes that need to be shut', 'pipes that need to be shut'],
  ['thanks', 'thanks'],
])('“%s” asks “%s”', (line, asked) => {
  expect(withoutCourtesy(line)).toBe(asked);
});

describe('what stands around a question', () => {
  test.each([
    ['We’re reviewing seats. How many people are there?', 'How many people are there?', ['We’re reviewing seats']],
    ['Open pipes, for the slide on leaks', 'Open pipes,', ['for the slide on leaks']],
  ])('is left out of “%s”', (text, asked, left) => {
    expect(withoutAsides(text)).toEqual([{ asked, left }]);
  });
  test.each([
    'Open pipes. Only those of Ann',
    'Open pipes, I mean the shut ones',
    'Open pipes',
    'Open pipes. 3 of them?',
  ])('is kept where it may be a condition: “%s”', (text) => {
    expect(withoutAsides(text)).toEqual([]);
  });
});

type Note = { name: string; by: string | null; sent: boolean; via: string | null };
const NOTES: Note[] = [
  { name: 'N1', by: 'Ann Lee', sent: true, via: 'Slack' },
  { name: 'N2', by: 'Bo Orr', sent: true, via: 'inbox' },
  { name: 'N3', by: null, sent: false, via: null },
];
const notes: Entity<Note> = {
  id: 'notes',
  one: 'note',
  many: 'notes',
  measure: 'size',
  rows: NOTES,
  fields: [
    eventField('sent', 'sent', ({ sent }) => sent),
    namedField(
      {
        id: 'by',
        names: ['author'],
        noun: 'author',
        before: ['by', 'written by'],
        behind: ['wrote', 'write'],
        isPast: true,
        isPerson: true,
      },
      ({ by }) => by,
    ),
    namedField(
      { id: 'via', names: ['channel'], noun: 'channel', before: ['in', 'were sent in'], isPast: true },
      ({ via }) => via,
    ),
    {
      id: 'size',
      kind: 'number',
      names: ['size', 'spent'],
      noun: 'size',
      has: 'a size',
      lacks: 'no size',
      read: ({ name }) => Number(name.slice(1)),
    },
  ],
  line: ({ name }) => name,
};
const kind = askable(notes, () => notes);
const namesOf = (line: string) => {
  const answer = kind.ask(line);
  return answer && 'text' in answer ? (answer.text.match(/^• N\d/gm) ?? []).join('').replaceAll('• ', '') : null;
};

test.each([
  ['notes that were not sent', 'N3'],
  ['notes did ann write', 'N1'],
  ['notes that were not written by ann lee', 'N2'],
  ['which notes were not sent in slack', 'N2'],
  ['notes that spent 2 size or less', 'N1N2'],
  ['largest note', 'N3'],
  ['which note spent most', 'N3'],
])('of what has happened: “%s”', (line, names) => {
  expect(namesOf(line)).toBe(names);
});

test('the words that mean nothing are given, and a remark is told from a condition', () => {
  expect(kind.unread('notes with purple author')).toEqual(['purple']);
  expect(kind.isAbout('for meeting')).toBe(false);
  expect(kind.isAbout('not by ann')).toBe(true);
  expect(kind.words()).toContain('author');
});
