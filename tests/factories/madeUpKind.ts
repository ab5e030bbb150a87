import type { Question } from '../../bot/engine/interrupts/question.ts';
import { type QuestionKind, unfit } from '../../bot/engine/questions/kinds/kind.ts';
import { defineRowReview } from '../../bot/engine/questions/kinds/rowReview.ts';
import type { QuestionRow } from '../../models/contracts/questionRows.ts';

const option = (id: string, title: string) => ({ id, title, note: '0.83', group: null, values: null, grade: null });

/** Valves that a plant checks; unlike any agent of Arc, rejecting or changing one needs a reason. */
const VALVES: readonly QuestionRow[] = [
  {
    id: 'v1',
    name: 'V-101',
    title: 'Steam inlet',
    group: 'Boiler',
    values: { tag: 'Steam inlet', setting: '4 bar' },
    quotes: [{ text: 'Opens at four bar', source: 'Round of May' }],
    grade: { value: 4, texts: ['Worn'] },
    options: [],
    option: 'gate',
    earlier: null,
  },
  {
    id: 'v2',
    name: 'V-102',
    title: 'Bypass',
    group: 'Boiler',
    values: { tag: 'Bypass', setting: '2 bar' },
    quotes: [],
    grade: null,
    options: [option('gate', 'Gate valve'), option('ball', 'Ball valve')],
    option: 'gate',
    earlier: 'Accepted before, on 3 May 2026 by Bo',
  },
  {
    id: 'v3',
    name: 'V-103',
    title: 'Drain',
    group: 'Pump',
    values: { tag: 'Drain', setting: '1 bar' },
    quotes: [],
    grade: null,
    options: [],
    option: 'gate',
    earlier: null,
  },
];

/** A kind of question with rows that no code of Arc knows, in the way a future agent would add one. */
export const valveCheck = defineRowReview<QuestionRow>({
  id: 'valve_check',
  label: 'Valve check',
  noun: { one: 'valve', many: 'valves' },
  headings: { row: 'Valve', quotes: 'What the rounds say', grade: 'Wear' },
  fields: [
    { name: 'tag', label: 'Tag', required: true, half: false },
    { name: 'setting', label: 'Setting', required: false, half: true },
  ],
  reasons: ['edited', 'rejected'],
  ask: (count) => `Please check ${count} valves`,
  readRow: (row, mode) =>
    mode === 'full' ? row : { ...row, title: null, group: null, values: null, quotes: [], grade: null },
});

/** A question of that kind. */
export const askForValves = (prompt = 'Are these valves as they should be?'): Question => ({
  interruptType: valveCheck.id,
  prompt,
  context: { rows: VALVES },
});

/** The expected decisions per row, in the tests of every surface. */
export const VALVES_DECIDED = [
  { id: 'v1', outcome: 'rejected', reason: 'Worn out' },
  { id: 'v2', outcome: 'accepted', choice: 'ball' },
  { id: 'v3', outcome: 'edited', values: { setting: '3 bar' }, reason: 'Set anew in June' },
];

/** Field names that collide with what a channel's button sends beside the typed values. */
export const ODD_NAMES = ['verb', 'interruptId', 'drawnUnder'] as const;

/** A kind whose fields have these names; the first field is the answer. */
export const oddlyNamed: QuestionKind = {
  id: 'oddly_named',
  label: 'Oddly named',
  check: (_row, { userResponse, userInput, reason }) => {
    if (userInput !== undefined || reason !== undefined) throw unfit('userInput', 'Nobody typed that.');
    return { userResponse, outcome: 'answered' };
  },
  view: ({ prompt }) => ({
    prompt,
    sections: [],
    fields: ODD_NAMES.map((name) => ({
      name,
      label: `The ${name}`,
      required: name === 'verb',
      maxLength: 100,
      answers: ({ verb: 'userResponse.text', interruptId: 'userInput', drawnUnder: 'reason' } as const)[name],
    })),
    actions: [
      { id: 'send', name: 'send', label: 'Send', tone: 'primary', fields: [...ODD_NAMES], opens: null, answer: {} },
    ],
  }),
};
